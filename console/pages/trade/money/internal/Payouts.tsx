import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useChange, useList } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** The service's payouts to the person: earnings in custodied mode, and refunds. */
export function Payouts() {
  const { items, error, more } = useList('listPayouts', {}, { pollMs: 15_000 })
  const amounts = items?.map(({ amount }) => amount) ?? []
  const wallets = useList('listWallets', {})
  const payout = wallets.items?.find(({ is_payout }) => is_payout)
  const wallet = payout && urnString('wallet', payout.urn.body)
  const reopen = useChange('reopenPayout', ['listPayouts'])
  return (
    <Section title={t('Payouts')}>
      <Problem error={reopen.error} />
      <Table
        caption={t('Payouts')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>{t('No payouts yet. Payouts to your wallet are listed here.')}</p>}
        columns={[
          { title: t('State'), cell: ({ state }) => <State name={state} /> },
          { title: t('For'), cell: ({ leg }) => (leg === 'payee' ? t('work sold') : t('a refund')) },
          {
            title: t('To'),
            cell: ({ to }) =>
              to ? <ChainHash kind="address" value={to} /> : <span className="muted">{t('no wallet yet')}</span>,
          },
          {
            title: t('Transaction'),
            cell: ({ tx_hash, reason }) => (tx_hash ? <ChainHash kind="tx" value={tx_hash} /> : reason),
          },
          { title: t('Started'), cell: ({ created_at }) => <Time at={created_at} relative={false} /> },
          { title: 'USDC', isNumber: true, cell: ({ amount }) => <Amount value={amount} aligned={amounts} /> },
          {
            title: t('Again'),
            cell: ({ urn, state, parked_at }) =>
              state === 'failed' && parked_at ? (
                <Button
                  busy={reopen.isPending}
                  disabled={!wallet}
                  onClick={() =>
                    wallet &&
                    reopen.mutate({ params: { urn: urnString('payout', urn.body) }, body: { wallet_urn: wallet } })
                  }
                >
                  {t('Pay to my wallet')}
                </Button>
              ) : null,
          },
        ]}
      />
    </Section>
  )
}
