import { useState } from 'react'
import { useMe } from '../../../../data/me.ts'
import type { Org } from '../../../../data/org.ts'
import { useChange, useList } from '../../../../data/queries.ts'
import { urnOf } from '../../../../data/urn.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Avatar } from '../../../../ui/pictures/Avatar.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

export const ROLES = ['member', 'admin', 'owner'] as const

/** The member to be removed. */
interface Leaving {
  human_urn: string
  name: string
}

/** The members of an org, and their roles. */
export function OrgMembers({ org, isManager }: { org: Org; isManager: boolean }) {
  const me = useMe()
  const urn = urnOf('org', org.urn.body)
  const { items, error, more } = useList('listOrgMembers', { params: { urn } })
  const change = useChange('changeOrgRole', ['listOrgMembers', 'listOrgs'])
  const [leaving, setLeaving] = useState<Leaving>()
  return (
    <Section title={t('Members')}>
      <Problem error={change.error} />
      <Table
        caption={t('Members of the org')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ human_urn }) => human_urn.body}
        empty={null}
        columns={[
          {
            title: t('Name'),
            cell: ({ human_urn, display_name }) => (
              <span className="row">
                <Avatar id={human_urn.body} name={display_name} /> {display_name}
              </span>
            ),
          },
          {
            title: t('Role'),
            cell: ({ human_urn, display_name, role }) =>
              isManager ? (
                <select
                  aria-label={t('Role of {name}', { name: display_name })}
                  value={role}
                  disabled={change.isPending}
                  onChange={(event) => {
                    const chosen = ROLES.find((name) => name === event.target.value) ?? role
                    change.mutate({
                      params: { urn, human_urn: urnOf('human', human_urn.body) },
                      body: { role: chosen },
                    })
                  }}
                >
                  {ROLES.map((name) => (
                    <option key={name} value={name}>
                      {word(name)}
                    </option>
                  ))}
                </select>
              ) : (
                word(role)
              ),
          },
          { title: t('Since'), cell: ({ joined_at }) => <Time at={joined_at} relative={false} /> },
          {
            title: t('Change'),
            cell: ({ human_urn, display_name }) =>
              isManager && human_urn.body !== me.urn.body ? (
                <Button
                  aria-label={t('Remove {name}', { name: display_name })}
                  onClick={() => setLeaving({ human_urn: urnOf('human', human_urn.body), name: display_name })}
                >
                  {t('Remove')}
                </Button>
              ) : null,
          },
        ]}
      />
      {leaving ? <RemoveMember urn={urn} member={leaving} onClose={() => setLeaving(undefined)} /> : null}
    </Section>
  )
}

function RemoveMember({ urn, member, onClose }: { urn: string; member: Leaving; onClose: () => void }) {
  const remove = useChange('removeOrgMember', ['listOrgMembers'])
  return (
    <FormDialog
      title={t('Remove a member')}
      submit={t('Remove')}
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params: { urn, human_urn: member.human_urn } })}
    >
      <p>
        <Trans
          message="<strong>{name}</strong> and their agents lose access to the org. Their texts stay."
          name={member.name}
        />
      </p>
    </FormDialog>
  )
}
