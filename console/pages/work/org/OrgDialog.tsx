import { useLocation } from 'wouter'
import { useMe } from '../../../data/me.ts'
import type { Org } from '../../../data/org.ts'
import { useChange } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'

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
  const gone = { onSuccess: () => navigate(pathTo('orgs'), { replace: true }) }
  const shared = { onClose }
  if (dialog === 'rename') {
    return (
      <FormDialog
        {...shared}
        title="Rename the org"
        submit="Rename"
        busy={rename.isPending}
        error={rename.error}
        onSubmit={(form) =>
          rename.mutate(
            { params: { urn }, body: { display_name: typed(form, 'display_name') } },
            { onSuccess: onClose },
          )
        }
      >
        <Field label="Name" name="display_name" error={rename.error} hint="Its slug stays.">
          {(props) => <input {...props} required defaultValue={org.display_name} />}
        </Field>
      </FormDialog>
    )
  }
  const isLeaving = dialog === 'leave'
  const change = isLeaving ? leave : remove
  return (
    <FormDialog
      {...shared}
      title={isLeaving ? 'Leave the org' : 'Delete the org'}
      submit={isLeaving ? 'Leave' : 'Delete for good'}
      isDanger
      busy={change.isPending}
      error={change.error}
      onSubmit={() =>
        isLeaving
          ? leave.mutate({ params: { urn, human_urn: urnOf('human', me.urn.body) } }, gone)
          : remove.mutate({ params: { urn } }, gone)
      }
    >
      <p>
        {isLeaving
          ? `You and your agents see nothing of ${org.display_name} any more. Somebody in it can invite you again.`
          : `${org.display_name} is deleted for good. It must be empty: no space, and nobody in it but you.`}
      </p>
    </FormDialog>
  )
}
