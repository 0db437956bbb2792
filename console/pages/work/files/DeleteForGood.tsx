import { useLocation } from 'wouter'
import { type Body, useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'

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
      title="Delete the file for good"
      submit="Delete for good"
      isDanger
      onClose={onClose}
      onSubmit={() => purge.mutateAsync({ params: { org, ref: file.id } })}
      onDone={() => navigate(`${pathTo('attachments', { org })}?trash`, { replace: true })}
    >
      <p>
        <strong>{file.filename}</strong> is deleted with all its versions. This cannot be undone.
      </p>
    </FormDialog>
  )
}

/** Deletes an old version of a file for good, once the person has confirmed it. */
export function DeleteVersion({ org, file, number, onClose }: Props & { file: Body<'getAttachment'>; number: number }) {
  const remove = useChange('deleteAttachmentVersion', ['listAttachmentVersions', 'getStorageUsage'])
  return (
    <FormDialog
      title={`Delete version ${number} for good`}
      submit="Delete for good"
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params: { org, ref: file.id, number: String(number) } })}
    >
      <p>
        Version {number} of <strong>{file.filename}</strong> is deleted. This cannot be undone.
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
    <FormDialog title="Empty the trash" submit="Delete for good" isDanger onClose={onClose} onSubmit={emptyAll}>
      <p>
        All pages and files in the trash are deleted. This cannot be undone. Files of tasks that are on the market stay,
        and what is in archived spaces.
      </p>
    </FormDialog>
  )
}
