import type { Body } from '../../../data/queries.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'

type Wallet = Body<'listWallets'>['wallets'][number]

/** Whether payouts of an account go to a wallet: now, from a later time, or not. */
export function PayoutState({ wallet: { is_payout: isPayout, payout_from: from } }: { wallet: Wallet }) {
  if (isPayout) return <State name="active" />
  if (!from) return <span className="muted">{t('not chosen')}</span>
  return (
    <span>
      <Trans message="{state} from {time}" state={<State name="pending" />} time={<Time at={from} />} />
    </span>
  )
}
