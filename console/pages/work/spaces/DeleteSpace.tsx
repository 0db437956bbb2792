import { useLocation } from 'wouter'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'

/** Deletes an empty space, once the person has confirmed it. */
export function DeleteSpace({
  org,
  space,
  onClose,
}: {
  org: string
  space: { id: string; name: string }
  onClose: () => void
}) {
  const [, navigate] = useLocation()
  const remove = useChange('deleteSpace', ['listSpaces'])
  return (
    <FormDialog
      title="Delete the space"
      submit="Delete for good"
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params: { org, ref: space.id } })}
      onDone={() => navigate(pathTo('org', { org }), { replace: true })}
    >
      <p>
        <strong>{space.name}</strong> is deleted for good. It must be empty: no page, task, decision or secret, the
        trash included. To keep what is in it, archive it.
      </p>
    </FormDialog>
  )
}
