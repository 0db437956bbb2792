import { useState } from 'react'
import { useAll } from '../../../data/all.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import styles from './Comments.module.css'
import { type CommentedOn, CommentForm } from './internal/CommentForm.tsx'
import { Thread } from './internal/Thread.tsx'
import { useHashTarget } from './useHashTarget.ts'

interface Props {
  org: string
  on: CommentedOn
  /** The words of the page that the next comment is about. */
  quote?: string
  onQuote?: (quote: string) => void
}

/** The comments on a page or a task, thread by thread: the open ones, and on demand the resolved ones. */
export function Comments({ org, on, quote = '', onQuote }: Props) {
  const { data, error } = useAll('listComments', { params: { org }, query: on })
  const [showsResolved, setShowsResolved] = useState(false)
  const oldestFirst = data?.toReversed() ?? []
  const threads = oldestFirst.filter(({ thread_id }) => thread_id === null)
  const named = oldestFirst.find(({ short_id }) => location.hash === `#comment-${short_id}`)
  const isShown = (id: string, resolved: string | null) =>
    showsResolved || resolved === null || named?.id === id || named?.thread_id === id
  const hidden = threads.filter(({ id, resolved_at }) => !isShown(id, resolved_at)).length
  useHashTarget('comment-', data !== undefined)
  return (
    <Section title={t('Comments')}>
      <Problem error={error} />
      {data && threads.length === 0 ? <p className="muted">{t('No comments yet.')}</p> : null}
      <ul className="plain">
        {threads
          .filter(({ id, resolved_at }) => isShown(id, resolved_at))
          .map((comment) => (
            <li key={comment.id}>
              <Thread
                org={org}
                on={on}
                comment={comment}
                answers={oldestFirst.filter(({ thread_id }) => thread_id === comment.id)}
              />
            </li>
          ))}
      </ul>
      {hidden > 0 ? (
        <div>
          <Button kind="quiet" onClick={() => setShowsResolved(true)}>
            {t('Show {count} resolved', { count: hidden })}
          </Button>
        </div>
      ) : null}
      {quote ? (
        <div className="row">
          <blockquote className={styles.quote}>{quote}</blockquote>
          <Button kind="quiet" onClick={() => onQuote?.('')}>
            {t('Not about these words')}
          </Button>
        </div>
      ) : null}
      <CommentForm
        org={org}
        on={on}
        label={t('Comment')}
        anchor={quote === '' ? undefined : { quote }}
        onDone={() => onQuote?.('')}
      />
    </Section>
  )
}
