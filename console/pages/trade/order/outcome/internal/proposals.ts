import type { PageItem } from '../../../../../../sdk/market.ts'
import { type Message, msg } from '../../../../../texts/texts.ts'
import type { OrderBody } from '../../record/order.ts'
import type { Refund } from './signOutcome.ts'

/** What each kind of proposal is called, and the action that proposes it. */
export const PROPOSALS = {
  scope_change_proposal: { title: msg('Change what is to be delivered'), action: 'propose_scope_change' },
  cancellation_proposal: { title: msg('Cancel the order together'), action: 'propose_cancellation' },
  remedy_proposal: { title: msg('Divide the money'), action: 'propose_remedy' },
} as const satisfies Record<string, { title: Message; action: OrderBody['may'][number] }>
export type ProposalKind = keyof typeof PROPOSALS

/** Returns the kinds that can be proposed, and accepted, now. */
export function proposable({ may }: OrderBody): ProposalKind[] {
  return (Object.keys(PROPOSALS) as ProposalKind[]).filter((kind) => may.includes(PROPOSALS[kind].action))
}

/** Returns what goes back to the buyer by a proposal; undefined where it is not about the money. */
export function refundOf({ kind, payload }: { kind: string; payload?: object | null | undefined }): Refund | undefined {
  if (kind === 'cancellation_proposal') return 'all'
  if (kind !== 'remedy_proposal') return undefined
  return String((payload as { refund?: unknown } | null | undefined)?.refund)
}

/** Returns the open proposals: the newest of each sender and kind that can be accepted and was not. */
export function standing(order: OrderBody, messages: readonly PageItem<'listMessages'>[]): PageItem<'listMessages'>[] {
  const accepted = new Set(order.amendments?.map(({ message_urn }) => message_urn.body))
  const newest = new Map<string, PageItem<'listMessages'>>()
  for (const message of messages) newest.set(`${message.kind} ${message.sender_urn.body}`, message)
  const kinds: readonly string[] = proposable(order)
  return [...newest.values()].filter(({ kind, urn }) => kinds.includes(kind) && !accepted.has(urn.body))
}
