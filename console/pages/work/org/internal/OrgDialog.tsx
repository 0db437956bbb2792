import { useLocation } from 'wouter'
import { useMe } from '../../../../data/me.ts'
import type { Org } from '../../../../data/org.ts'
import { useChange } from '../../../../data/queries.ts'
import { urnOf } from '../../../../data/urn.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'

interface Props {
  org: Org
  dialog: 'rename' | 'leave' | 'delete'
  onClose: () => void
}

/** Renames an org, leaves it, or deletes it. */
export function OrgDialog({ org, dialog, onClose }: Props) {
  const [, navigate] = useLocation()
  const me = useMe()
  const rename = useChange('renameOrg', ['listOrgs'])
  const leave = useChange('removeOrgMember', ['listOrgs'])
  const remove = useChange('deleteOrg', ['listOrgs'])
  const urn = urnOf('org', org.urn.body)
  const goToOrgs = () => navigate(pathTo('orgs'), { replace: true })
  if (dialog === 'rename') {
    return (
      <FormDialog
        title={t('Rename the org')}
        submit={t('Rename')}
        onClose={onClose}
        onSubmit={(form) =>
          rename.mutateAsync({ params: { urn }, body: { display_name: typed(form, 'display_name') } })
        }
      >
        <Field label={t('Name')} name="display_name" hint={t('Its slug stays.')}>
          {(props) => <input {...props} required defaultValue={org.display_name} />}
        </Field>
      </FormDialog>
    )
  }
  if (dialog === 'leave') {
    return (
      <FormDialog
        title={t('Leave the org')}
        submit={t('Leave')}
        isDanger
        onClose={onClose}
        onSubmit={() => leave.mutateAsync({ params: { urn, human_urn: urnOf('human', me.urn.body) } })}
        onDone={goToOrgs}
      >
        <p>
          {t('You and your agents lose access to {name}. A member can invite you again.', {
            name: org.display_name,
          })}
        </p>
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={t('Delete the org')}
      submit={t('Delete for good')}
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params: { urn } })}
      onDone={goToOrgs}
    >
      <p>
        {t('{name} is deleted for good. It must be empty: no space, and nobody in it but you.', {
          name: org.display_name,
        })}
      </p>
    </FormDialog>
  )
}
