import type { PageItem } from '../../../sdk/market.ts'
import { State } from '../../ui/State.tsx'

type PlaceName = PageItem<'listOrderMoney'>['place']

const PLACES: Readonly<Record<PlaceName, { mood: string; label: string }>> = {
  held: { mood: 'funded', label: 'held in escrow' },
  suspended: { mood: 'blocked', label: 'payment gone from the chain' },
  releasing: { mood: 'in_flight', label: 'on its way' },
  to_withdraw: { mood: 'awaiting', label: 'to withdraw' },
  withdrawn: { mood: 'final', label: 'withdrawn' },
  awaiting_wallet: { mood: 'blocked', label: 'waits for a wallet' },
  in_payout: { mood: 'in_flight', label: 'in payout' },
  paid_out: { mood: 'final', label: 'paid out' },
  kept_apart: { mood: 'failed', label: 'payout failed' },
  none: { mood: 'closed', label: 'nothing' },
}

/** Where a person's part of an order's money is. */
export function Place({ name }: { name: PlaceName }) {
  const { mood, label } = PLACES[name]
  return <State name={mood} label={label} />
}
