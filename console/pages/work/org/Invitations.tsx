import { useChange, useList } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'

/** The orgs that invite the person, to be joined. Renders nothing without an invitation. */
export function Invitations() {
  const { items, error, more } = useList('listMyInvitations', {})
  const join = useChange('joinOrg', ['listMyInvitations', 'listOrgs'])
  if (!error && !items?.length) return null
  return (
    <Section title={t('Invitations')}>
      <Problem error={join.error} />
      <Table
        caption={t('Orgs that invite you')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ slug }) => slug}
        empty={null}
        columns={[
          { title: t('Org'), cell: ({ display_name, slug }) => `${display_name} (${slug})` },
          { title: t('As'), cell: ({ role }) => word(role) },
          { title: t('Until'), cell: ({ expires_at }) => <Time at={expires_at} /> },
          {
            title: t('Answer'),
            cell: ({ org_urn }) => (
              <Button
                kind="primary"
                busy={join.isPending}
                onClick={() => join.mutate({ params: { urn: urnOf('org', org_urn.body) } })}
              >
                {t('Join')}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}
