import type { PageItem } from '../../../sdk/market.ts'
import { type Message, msg, t } from '../../texts/texts.ts'
import { State } from '../../ui/values/State.tsx'

type PlaceName = PageItem<'listOrderMoney'>['place']

const PLACES: Readonly<Record<PlaceName, { mood: string; label: Message }>> = {
  held: { mood: 'funded', label: msg('held in escrow') },
  suspended: { mood: 'blocked', label: msg('payment gone from the chain') },
  releasing: { mood: 'in_flight', label: msg('on its way') },
  to_withdraw: { mood: 'awaiting', label: msg('to withdraw') },
  withdrawn: { mood: 'final', label: msg('withdrawn') },
  awaiting_wallet: { mood: 'blocked', label: msg('waits for a wallet') },
  in_payout: { mood: 'in_flight', label: msg('in payout') },
  paid_out: { mood: 'final', label: msg('paid out') },
  kept_apart: { mood: 'failed', label: msg('payout failed') },
  none: { mood: 'closed', label: msg('nothing') },
}

/** Where a person's part of an order's money is. */
export function Place({ name }: { name: PlaceName }) {
  const { mood, label } = PLACES[name]
  return <State name={mood} label={t(label)} />
}
