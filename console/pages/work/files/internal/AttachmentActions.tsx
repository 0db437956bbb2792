import { useRef, useState } from 'react'
import { type Body, useChange } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { PurgeAttachment } from './DeleteForGood.tsx'
import { NewImport } from './NewImport.tsx'

interface Props {
  org: string
  file: Body<'getAttachment'>
}

const CHANGES = ['getAttachment', 'listAttachments', 'listAttachmentVersions', 'readAttachmentText', 'getPage'] as const

/** The actions on a file. */
export function AttachmentActions({ org, file }: Props) {
  const chosen = useRef<HTMLInputElement>(null)
  const [dialog, setDialog] = useState<'rename' | 'trash' | 'import' | 'purge'>()
  const replace = useChange('replaceAttachmentContent', CHANGES)
  const restore = useChange('restoreAttachment', CHANGES)
  const params = { org, ref: file.id }
  if (file.state === 'trashed') {
    return (
      <>
        {file.may.includes('restore') ? (
          <Button kind="primary" busy={restore.isPending} onClick={() => restore.mutate({ params })}>
            {t('Restore from the trash')}
          </Button>
        ) : null}
        {file.may.includes('purge') ? (
          <Button kind="danger" onClick={() => setDialog('purge')}>
            {t('Delete for good')}
          </Button>
        ) : null}
        <Problem error={restore.error} />
        {dialog === 'purge' ? <PurgeAttachment {...{ org, file }} onClose={() => setDialog(undefined)} /> : null}
      </>
    )
  }
  return (
    <>
      <a className="button primary" href={`/orgs/${encodeURIComponent(org)}/attachments/${file.id}/download`}>
        {t('Download')}
      </a>
      {file.may.includes('replace') ? (
        <Button busy={replace.isPending} onClick={() => chosen.current?.click()}>
          {t('New version')}
        </Button>
      ) : null}
      <input
        ref={chosen}
        type="file"
        hidden
        aria-label={t('File of the new version')}
        onChange={(event) => {
          const [upload] = event.target.files ?? []
          const headers = { 'content-type': 'application/octet-stream' }
          if (upload) replace.mutate({ params, upload, headers })
          event.target.value = ''
        }}
      />
      {file.may.includes('update') ? <Button onClick={() => setDialog('rename')}>{t('Rename')}</Button> : null}
      {file.media_type === 'application/zip' ? (
        <Button onClick={() => setDialog('import')}>{t('Import its pages')}</Button>
      ) : null}
      {file.may.includes('trash') ? (
        <Button kind="danger" onClick={() => setDialog('trash')}>
          {t('Trash')}
        </Button>
      ) : null}
      <Problem error={replace.error} />
      {dialog === 'import' ? <NewImport {...{ org, file }} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'rename' || dialog === 'trash' ? (
        <AttachmentDialog {...{ org, file, dialog }} onClose={() => setDialog(undefined)} />
      ) : null}
    </>
  )
}

function AttachmentDialog({ org, file, dialog, onClose }: Props & { dialog: 'rename' | 'trash'; onClose: () => void }) {
  const rename = useChange('updateAttachment', CHANGES)
  const trash = useChange('trashAttachment', CHANGES)
  const params = { org, ref: file.id }
  return dialog === 'rename' ? (
    <FormDialog
      title={t('Rename the file')}
      submit={t('Rename')}
      onClose={onClose}
      onSubmit={(form) =>
        rename.mutateAsync({
          params,
          body: { filename: typed(form, 'filename'), update_references: form.get('update_references') === 'on' },
        })
      }
    >
      <Field label={t('Name')} name="filename">
        {(props) => <input {...props} required defaultValue={file.filename} />}
      </Field>
      <label className="row">
        <input type="checkbox" name="update_references" defaultChecked />
        {t('Write the new name where its page refers to it')}
      </label>
    </FormDialog>
  ) : (
    <FormDialog
      title={t('Move the file to the trash')}
      submit={t('Move to the trash')}
      isDanger
      onClose={onClose}
      onSubmit={() => trash.mutateAsync({ params })}
    >
      <p>
        <Trans
          message="Its page shows a placeholder instead of <strong>{filename}</strong>. The file can be restored for a time; then it is removed with all its versions."
          filename={file.filename}
        />
      </p>
    </FormDialog>
  )
}
