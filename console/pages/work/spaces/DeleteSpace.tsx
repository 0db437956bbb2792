import { useLocation } from 'wouter'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

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
      title={t('Delete the space')}
      submit={t('Delete for good')}
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params: { org, ref: space.id } })}
      onDone={() => navigate(pathTo('org', { org }), { replace: true })}
    >
      <p>
        <Trans
          message="<strong>{name}</strong> is deleted for good. It must be empty: no page, task, decision or secret, the trash included. To keep what is in it, archive it."
          name={space.name}
        />
      </p>
    </FormDialog>
  )
}
