import { useRead } from '../../data/queries.ts'
import { OperatorOnly } from '../../session/OperatorOnly.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { DescriptionList } from '../../ui/DescriptionList.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { WholeAddress } from '../../wallet/WholeAddress.tsx'
import { AllPayouts } from './AllPayouts.tsx'
import { HealthBadge } from './HealthBadge.tsx'
import { Stops } from './Stops.tsx'

const POLL_MS = 10_000

/** Payments out of custody: the hot wallet, its limits, the stops and all payouts. */
export function Payouts() {
  return (
    <OperatorOnly>
      <PageHead title="Payouts" />
      <Stops />
      <AllPayouts />
      <HotWallet />
    </OperatorOnly>
  )
}

function HotWallet() {
  const { data: wallet, error } = useRead('readHotWallet', {}, { pollMs: POLL_MS })
  const { data: config } = useRead('getPublicConfig', {})
  const seen = wallet?.observed
  return (
    <Section title="Hot wallet">
      <Problem error={error} />
      {wallet ? (
        <DescriptionList
          items={[
            ['Address', <WholeAddress key="address" value={wallet.hot_wallet} />],
            ['Holds', seen ? <Amount key="balance" value={seen.balance} /> : 'not known yet'],
            ['Of that, owed to others', seen ? <Amount key="due" value={seen.due} /> : undefined],
            [
              'Floor',
              <span key="floor">
                <Amount value={wallet.floor} />{' '}
                {seen ? (
                  <HealthBadge
                    isAlive={seen.below_floor_since === null}
                    word={seen.below_floor_since ? 'below it' : 'above it'}
                    at={seen.below_floor_since}
                  />
                ) : null}
              </span>,
            ],
            ['Ceiling', wallet.ceiling ? <Amount key="ceiling" value={wallet.ceiling} /> : 'none: no cold wallet'],
            ['Sent to the cold wallet', <Amount key="cold" value={wallet.cold_balance} />],
            [
              'Limit to sellers in 24 hours',
              config ? <Amount key="limit" value={config.rules.daily_payout_amount} /> : undefined,
            ],
            ['Seen at block', seen?.block_number],
          ]}
        />
      ) : null}
    </Section>
  )
}
