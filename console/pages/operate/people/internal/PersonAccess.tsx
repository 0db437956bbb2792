import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { amountText } from '../../../../ui/values/format.ts'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

type Token = Body<'readPerson'>['tokens'][number]

/** A person's orgs, sessions and tokens, with what the tokens may spend. */
export function PersonAccess({ person }: { person: Body<'readPerson'> }) {
  return (
    <>
      <Section title={t('Orgs')}>
        <Table
          caption={t('Orgs')}
          rows={person.orgs}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('No orgs.')}</p>}
          columns={[
            { title: t('Org'), cell: ({ display_name: name }) => <strong>{name}</strong> },
            { title: t('Role'), isLabelled: true, cell: ({ role }) => word(role) },
            { title: t('Address'), isLabelled: true, cell: ({ slug }) => <span className="mono">{slug}</span> },
            { title: t('Member since'), isLabelled: true, cell: ({ joined_at: at }) => <Time at={at} /> },
          ]}
        />
      </Section>
      <Section title={t('Sessions')}>
        <Table
          caption={t('Sessions that are open')}
          rows={person.sessions}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('Not signed in anywhere.')}</p>}
          columns={[
            { title: t('Session'), cell: ({ urn }) => <Hash value={urn.body} /> },
            { title: t('Began'), isLabelled: true, cell: ({ created_at: at }) => <Time at={at} /> },
            { title: t('Last seen'), isLabelled: true, cell: ({ seen_at: at }) => <Time at={at} /> },
            { title: t('Ends'), isLabelled: true, cell: ({ expires_at: at }) => <Time at={at} /> },
          ]}
        />
      </Section>
      <Section title={t('Tokens and their limits')}>
        <Table
          caption={t('Tokens that work')}
          rows={person.tokens}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('No tokens.')}</p>}
          columns={[
            { title: t('Token'), cell: ({ urn }) => <Hash value={urn.body} /> },
            { title: t('May'), isLabelled: true, cell: ({ scopes }) => scopes.map(word).join(', ') },
            { title: t('Spend limit'), isLabelled: true, cell: (token) => limitText(token) },
            {
              title: t('Last used'),
              isLabelled: true,
              cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : t('never')),
            },
            {
              title: t('Ends'),
              isLabelled: true,
              cell: ({ expires_at: at }) => (at ? <Time at={at} /> : t('when revoked')),
            },
          ]}
        />
      </Section>
    </>
  )
}

function limitText({ spend_limit: limit, spent_today: spent }: Token): string {
  const parts = [
    limit?.per_order ? t('{amount} an order', { amount: amountText(limit.per_order) }) : undefined,
    limit?.per_day
      ? t('{spent} of {limit} today', { spent: amountText(spent), limit: amountText(limit.per_day) })
      : undefined,
  ].filter((part) => part !== undefined)
  return parts.join(', ') || t('none')
}
