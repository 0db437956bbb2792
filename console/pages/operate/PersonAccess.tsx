import { amountText } from '../../ui/format.ts'
import { Hash } from '../../ui/Hash.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import type { PersonRecord } from './Person.tsx'

type Token = PersonRecord['tokens'][number]

/** A person's orgs, sessions and tokens, with what the tokens may spend. */
export function PersonAccess({ person }: { person: PersonRecord }) {
  return (
    <>
      <Section title="Orgs">
        <Table
          caption="Orgs"
          rows={person.orgs}
          keyOf={({ urn }) => urn.body}
          empty={<p>No orgs.</p>}
          columns={[
            { title: 'Org', cell: ({ display_name: name }) => <strong>{name}</strong> },
            { title: 'Role', isLabelled: true, cell: ({ role }) => role },
            { title: 'Address', isLabelled: true, cell: ({ slug }) => <span className="mono">{slug}</span> },
            { title: 'Member since', isLabelled: true, cell: ({ joined_at: at }) => <Time at={at} /> },
          ]}
        />
      </Section>
      <Section title="Sessions">
        <Table
          caption="Sessions that are open"
          rows={person.sessions}
          keyOf={({ urn }) => urn.body}
          empty={<p>Not signed in anywhere.</p>}
          columns={[
            { title: 'Session', cell: ({ urn }) => <Hash value={urn.body} /> },
            { title: 'Began', isLabelled: true, cell: ({ created_at: at }) => <Time at={at} /> },
            { title: 'Last seen', isLabelled: true, cell: ({ seen_at: at }) => <Time at={at} /> },
            { title: 'Ends', isLabelled: true, cell: ({ expires_at: at }) => <Time at={at} /> },
          ]}
        />
      </Section>
      <Section title="Tokens and their limits">
        <Table
          caption="Tokens that work"
          rows={person.tokens}
          keyOf={({ urn }) => urn.body}
          empty={<p>No tokens.</p>}
          columns={[
            { title: 'Token', cell: ({ urn }) => <Hash value={urn.body} /> },
            { title: 'May', isLabelled: true, cell: ({ scopes }) => scopes.join(', ') },
            { title: 'Spend limit', isLabelled: true, cell: (token) => limitText(token) },
            {
              title: 'Last used',
              isLabelled: true,
              cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : 'never'),
            },
            {
              title: 'Ends',
              isLabelled: true,
              cell: ({ expires_at: at }) => (at ? <Time at={at} /> : 'when it is revoked'),
            },
          ]}
        />
      </Section>
    </>
  )
}

function limitText({ spend_limit: limit, spent_today: spent }: Token): string {
  const parts = [
    limit?.per_order ? `${amountText(limit.per_order)} an order` : undefined,
    limit?.per_day ? `${amountText(spent)} of ${amountText(limit.per_day)} today` : undefined,
  ].filter((part) => part !== undefined)
  return parts.join(', ') || 'none'
}
