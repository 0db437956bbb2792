import { useRead } from '../../../data/queries.ts'
import { OperatorOnly } from '../../../session/OperatorOnly.tsx'
import { t } from '../../../texts/texts.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { WholeAddress } from '../../../wallet/WholeAddress.tsx'
import { HealthBadge } from '../health/HealthBadge.tsx'
import { AllPayouts } from './internal/AllPayouts.tsx'
import { Stops } from './internal/Stops.tsx'

const POLL_MS = 10_000

/** Payments out of custody: the hot wallet, its limits, the stops and all payouts. */
export function Payouts() {
  return (
    <OperatorOnly>
      <PageHead title={t('Payouts')} />
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
    <Section title={t('Hot wallet')}>
      <Problem error={error} />
      {wallet ? (
        <DescriptionList
          items={[
            [t('Address'), <WholeAddress key="address" value={wallet.hot_wallet} />],
            [t('Holds'), seen ? <Amount key="balance" value={seen.balance} /> : t('not known yet')],
            [t('Of that, owed to others'), seen ? <Amount key="due" value={seen.due} /> : undefined],
            [
              t('Floor'),
              <span key="floor">
                <Amount value={wallet.floor} />{' '}
                {seen ? (
                  <HealthBadge
                    isAlive={seen.below_floor_since === null}
                    word={seen.below_floor_since ? t('below it') : t('above it')}
                    at={seen.below_floor_since}
                  />
                ) : null}
              </span>,
            ],
            [
              t('Ceiling'),
              wallet.ceiling ? <Amount key="ceiling" value={wallet.ceiling} /> : t('none: no cold wallet'),
            ],
            [t('Sent to the cold wallet'), <Amount key="cold" value={wallet.cold_balance} />],
            [
              t('Limit to sellers in 24 hours'),
              config ? <Amount key="limit" value={config.rules.daily_payout_amount} /> : undefined,
            ],
            [t('Seen at block'), seen?.block_number],
          ]}
        />
      ) : null}
    </Section>
  )
}
