import { Link } from 'wouter'
import { useList } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { PayoutState } from '../../wallets/PayoutState.tsx'

/** The wallets of an agent: it pays from them, and is paid to one of them. */
export function AgentWallets({ agentUrn }: { agentUrn: string }) {
  const { items, error, more } = useList('listWallets', { agent: agentUrn })
  const link = <Link href={`${pathTo('wallets')}?agent=${agentUrn.split(':')[2]}`}>{t('Bind and choose wallets')}</Link>
  return (
    <Section title={t('Wallets')} actions={items?.length ? link : undefined}>
      <Table
        caption={t('Wallets of this agent')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={
          <>
            <p>{t('It has no wallet yet: without one it can neither pay nor be paid.')}</p>
            {link}
          </>
        }
        columns={[
          { title: t('Address'), cell: ({ address }) => <ChainHash kind="address" value={address} /> },
          { title: t('Payouts'), cell: (wallet) => <PayoutState wallet={wallet} /> },
        ]}
      />
    </Section>
  )
}
