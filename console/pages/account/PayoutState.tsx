import type { Body } from '../../data/queries.ts'
import { State } from '../../ui/State.tsx'
import { Time } from '../../ui/Time.tsx'

type Wallet = Body<'listWallets'>['wallets'][number]

/** Whether payouts of an account go to a wallet: now, from a later time, or not. */
export function PayoutState({ wallet: { is_payout: isPayout, payout_from: from } }: { wallet: Wallet }) {
  if (isPayout) return <State name="active" />
  if (!from) return <span className="muted">not chosen</span>
  return (
    <span>
      <State name="pending" /> from <Time at={from} />
    </span>
  )
}
