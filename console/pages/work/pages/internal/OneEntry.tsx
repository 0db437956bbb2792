import { useState } from 'react'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useMe } from '../../../../data/me.ts'
import { useOrg, usePeople } from '../../../../data/org.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Markdown } from '../../../../ui/markdown/Markdown.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import styles from '../../comments/Comments.module.css'

interface Props {
  org: string
  entry: PageItem<'listEntries'>
}

/** An entry: who wrote what, and when. Its author changes it; they or a manager delete it. */
export function OneEntry({ org, entry }: Props) {
  const me = useMe()
  const { isManager } = useOrg(org)
  const { nameOf } = usePeople(org)
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const isMine = entry.created_by.includes(me.urn.body)
  return (
    <li id={`entry-${entry.short_id}`} className={styles.comment}>
      <p className="small muted">
        {nameOf(entry.created_by)} · <Time at={entry.created_at} />
        {entry.updated_at === entry.created_at ? '' : ` · ${t('changed')}`}
      </p>
      <Markdown text={entry.text} />
      <div className="row">
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
      {dialog ? <ChangeEntry {...{ org, entry, dialog }} onClose={() => setDialog(undefined)} /> : null}
    </li>
  )
}

function ChangeEntry({ org, entry, dialog, onClose }: Props & { dialog: 'edit' | 'delete'; onClose: () => void }) {
  const edit = useChange('editEntry', ['listEntries'])
  const remove = useChange('deleteEntry', ['listEntries', 'listAttachments'])
  const params = { org, ref: entry.id }
  return dialog === 'edit' ? (
    <FormDialog
      title={t('Change the entry')}
      submit={t('Save')}
      onClose={onClose}
      onSubmit={(form) => edit.mutateAsync({ params, body: { text: typed(form, 'text') } })}
    >
      <Field label={t('Entry')} name="text">
        {(props) => <textarea {...props} required defaultValue={entry.text} />}
      </Field>
    </FormDialog>
  ) : (
    <FormDialog
      title={t('Delete the entry')}
      submit={t('Delete')}
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params })}
    >
      <p>{t('It is removed for good. Its files stay on the page.')}</p>
    </FormDialog>
  )
}
