import type { CallInput } from '../../../../../sdk/market.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'

type Reason = CallInput<'cancelOrder'>['body']['reason_code']

/** Why orders end before their work is accepted, as both parties read it. */
const TEXTS: Readonly<Record<Reason | 'unpaid' | 'hold_expired', Message>> = {
  changed_mind: msg('The buyer changed its mind.'),
  ordered_by_mistake: msg('It was ordered by mistake.'),
  cannot_deliver: msg('The seller cannot deliver.'),
  sla_breached: msg('It was late.'),
  conceded: msg('The seller conceded: the buyer gets the money back.'),
  other: msg('Another reason.'),
  unpaid: msg('It was not paid in time.'),
  hold_expired: msg('Nothing was delivered before the hold expired: the buyer gets the money back.'),
}

/** Returns the reason of a cancelled order as a sentence: one that is not known here as it is. */
export function reasonText(reason: string): string {
  return reason in TEXTS ? t(TEXTS[reason as keyof typeof TEXTS]) : reason
}
