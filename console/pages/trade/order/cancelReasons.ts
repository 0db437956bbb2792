import type { CallInput } from '../../../../sdk/market.ts'

type Reason = CallInput<'cancelOrder'>['body']['reason_code']

/** Why orders end before their work is accepted, as both parties read it. */
const TEXTS: Readonly<Record<Reason | 'unpaid' | 'hold_expired', string>> = {
  changed_mind: 'The buyer changed its mind.',
  ordered_by_mistake: 'It was ordered by mistake.',
  cannot_deliver: 'The seller cannot deliver.',
  sla_breached: 'It was late.',
  conceded: 'The seller conceded: the buyer gets the money back.',
  other: 'For another reason than those that one can choose from.',
  unpaid: 'It was not paid in time.',
  hold_expired: 'Nothing was delivered before the hold expired: the buyer gets the money back.',
}

/** Returns the reason of a cancelled order as a sentence: one that is not known here as it is. */
export function reasonText(reason: string): string {
  return reason in TEXTS ? TEXTS[reason as keyof typeof TEXTS] : reason
}
