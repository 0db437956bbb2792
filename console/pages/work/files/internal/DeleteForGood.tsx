import { useLocation } from 'wouter'
import { type Body, useChange } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'

interface Props {
  org: string
  onClose: () => void
}

/** Deletes a file in the trash for good, once the person has confirmed it. */
export function PurgeAttachment({ org, file, onClose }: Props & { file: Body<'getAttachment'> }) {
  const [, navigate] = useLocation()
  const purge = useChange('purgeAttachment', ['listAttachments', 'getStorageUsage'])
  return (
    <FormDialog
      title={t('Delete the file for good')}
      submit={t('Delete for good')}
      isDanger
      onClose={onClose}
      onSubmit={() => purge.mutateAsync({ params: { org, ref: file.id } })}
      onDone={() => navigate(`${pathTo('attachments', { org })}?trash`, { replace: true })}
    >
      <p>
        <Trans
          message="<strong>{filename}</strong> is deleted with all its versions. This cannot be undone."
          filename={file.filename}
        />
      </p>
    </FormDialog>
  )
}

/** Deletes an old version of a file for good, once the person has confirmed it. */
export function DeleteVersion({ org, file, number, onClose }: Props & { file: Body<'getAttachment'>; number: number }) {
  const remove = useChange('deleteAttachmentVersion', ['listAttachmentVersions', 'getStorageUsage'])
  return (
    <FormDialog
      title={t('Delete version {number} for good', { number })}
      submit={t('Delete for good')}
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params: { org, ref: file.id, number: String(number) } })}
    >
      <p>
        <Trans
          message="Version {number} of <strong>{filename}</strong> is deleted. This cannot be undone."
          number={number}
          filename={file.filename}
        />
      </p>
    </FormDialog>
  )
}

/** Deletes what is in the trash of an org for good, once the person has confirmed it. */
export function EmptyTrash({ org, onClose }: Props) {
  const empty = useChange('emptyTrash', ['listAttachments', 'getStorageUsage'])
  const emptyAll = async () => {
    while ((await empty.mutateAsync({ params: { org } })).has_more);
  }
  return (
    <FormDialog
      title={t('Empty the trash')}
      submit={t('Delete for good')}
      isDanger
      onClose={onClose}
      onSubmit={emptyAll}
    >
      <p>
        {t(
          'All pages and files in the trash are deleted. This cannot be undone. Files of tasks that are on the market stay, and what is in archived spaces.',
        )}
      </p>
    </FormDialog>
  )
}
