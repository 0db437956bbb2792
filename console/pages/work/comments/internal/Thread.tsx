import { useState } from 'react'
import type { PageItem } from '../../../../../sdk/market.ts'
import { usePeople } from '../../../../data/org.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import styles from '../Comments.module.css'
import { type CommentedOn, CommentForm } from './CommentForm.tsx'
import { OneComment } from './OneComment.tsx'

type Comment = PageItem<'listComments'>

interface Props {
  org: string
  on: CommentedOn
  comment: Comment
  answers: readonly Comment[]
}

/** A comment with its answers: answered, resolved and opened again by any member. */
export function Thread({ org, on, comment, answers }: Props) {
  const { nameOf } = usePeople(org)
  const [answering, setAnswering] = useState(false)
  const resolve = useChange('resolveComment', ['listComments'])
  const reopen = useChange('reopenComment', ['listComments'])
  const params = { org, ref: comment.id }
  return (
    <>
      <OneComment org={org} comment={comment}>
        {comment.resolved_at ? (
          <span className="small muted">{t('Resolved by {name}', { name: nameOf(comment.resolved_by ?? '') })}</span>
        ) : null}
        <Button kind="quiet" onClick={() => setAnswering(!answering)} aria-expanded={answering}>
          {t('Answer')}
        </Button>
        {comment.resolved_at ? (
          <Button kind="quiet" busy={reopen.isPending} onClick={() => reopen.mutate({ params })}>
            {t('Reopen')}
          </Button>
        ) : (
          <Button kind="quiet" busy={resolve.isPending} onClick={() => resolve.mutate({ params })}>
            {t('Resolve')}
          </Button>
        )}
      </OneComment>
      <Problem error={resolve.error ?? reopen.error} />
      {answers.length > 0 || answering ? (
        <div className={styles.answers}>
          {answers.map((answer) => (
            <OneComment key={answer.id} org={org} comment={answer} />
          ))}
          {answering ? (
            <CommentForm org={org} on={on} thread={comment.id} label={t('Answer')} onDone={() => setAnswering(false)} />
          ) : null}
        </div>
      ) : null}
    </>
  )
}
