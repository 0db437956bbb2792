import { Fragment, type ReactNode, useState } from 'react'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useMe } from '../../../../data/me.ts'
import { useOrg, usePeople } from '../../../../data/org.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Avatar } from '../../../../ui/pictures/Avatar.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import styles from '../Comments.module.css'

const MENTION = /(@market:(?:human|agent):[0-9a-f-]{36})/

interface Props {
  org: string
  comment: PageItem<'listComments'>
  /** What else can be done with it. */
  children?: ReactNode
}

/**
 * A comment: who wrote what, when, and about which words. Its author changes it; they or a manager delete it.
 */
export function OneComment({ org, comment, children }: Props) {
  const me = useMe()
  const { isManager } = useOrg(org)
  const { people, nameOf } = usePeople(org)
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const author = people.find(({ urn }) => urn === comment.created_by)
  const isMine = comment.created_by.includes(me.urn.body)
  if (comment.deleted_at) return <p className={`small muted ${styles.comment}`}>{t('A comment was deleted here.')}</p>
  return (
    <article id={`comment-${comment.short_id}`} className={styles.comment}>
      <p className="small muted">
        {author ? <Avatar id={author.id} name={author.name} /> : null} <strong>{nameOf(comment.created_by)}</strong> ·{' '}
        <Time at={comment.created_at} />
        {comment.updated_at === comment.created_at ? '' : ` · ${t('changed')}`}
      </p>
      {comment.anchor ? (
        <blockquote className={styles.quote}>
          {comment.anchor.quote}
          {comment.anchor.start === null ? <em> {t('(no longer on the page)')}</em> : null}
        </blockquote>
      ) : null}
      <p className={styles.text}>
        <WithMentions text={comment.text} nameOf={nameOf} />
      </p>
      <div className="row">
        {children}
        {isMine ? (
          <Button kind="quiet" onClick={() => setDialog('edit')}>
            {t('Change')}
          </Button>
        ) : null}
        {isMine || isManager ? (
          <Button kind="quiet" onClick={() => setDialog('delete')}>
            {t('Delete')}
          </Button>
        ) : null}
      </div>
      {dialog ? <ChangeComment org={org} {...{ comment, dialog }} onClose={() => setDialog(undefined)} /> : null}
    </article>
  )
}

function WithMentions({ text, nameOf }: { text: string; nameOf: (account: string) => string }) {
  return text.split(MENTION).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, shown anew as a whole.
    <Fragment key={index}>{MENTION.test(part) ? <strong>@{nameOf(part)}</strong> : part}</Fragment>
  ))
}

function ChangeComment({ org, comment, dialog, onClose }: Props & { dialog: 'edit' | 'delete'; onClose: () => void }) {
  const edit = useChange('editComment', ['listComments'])
  const remove = useChange('deleteComment', ['listComments'])
  const params = { org, ref: comment.id }
  return dialog === 'edit' ? (
    <FormDialog
      title={t('Change the comment')}
      submit={t('Save')}
      onClose={onClose}
      onSubmit={(form) => edit.mutateAsync({ params, body: { text: typed(form, 'text') } })}
    >
      <Field label={t('Comment')} name="text">
        {(props) => <textarea {...props} required defaultValue={comment.text} />}
      </Field>
    </FormDialog>
  ) : (
    <FormDialog
      title={t('Delete the comment')}
      submit={t('Delete')}
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params })}
    >
      <p>{t('Its text is removed for good. Its answers stay.')}</p>
    </FormDialog>
  )
}
