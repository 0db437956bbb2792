import type { PageItem } from '../../../../sdk/market.ts'
import type { OrderBody } from './Order.tsx'
import type { Refund } from './signOutcome.ts'

/** What each kind of proposal is called, and while an order is in which states it can be accepted. */
export const PROPOSALS = {
  scope_change_proposal: {
    title: 'Change what is to be delivered',
    during: ['funded', 'in_flight', 'delivered', 'rejected'],
  },
  cancellation_proposal: { title: 'Cancel the order together', during: ['funded', 'in_flight'] },
  remedy_proposal: { title: 'Divide the money', during: ['disputed'] },
} as const satisfies Record<string, { title: string; during: readonly OrderBody['state'][] }>
export type ProposalKind = keyof typeof PROPOSALS

/** Returns the kinds that can be proposed in a state. */
export function proposable(state: OrderBody['state']): ProposalKind[] {
  return (Object.keys(PROPOSALS) as ProposalKind[]).filter((kind) =>
    (PROPOSALS[kind].during as readonly string[]).includes(state),
  )
}

/** Returns what goes back to the buyer by a proposal; undefined where it is not about the money. */
export function refundOf({ kind, payload }: { kind: string; payload?: object | null | undefined }): Refund | undefined {
  if (kind === 'cancellation_proposal') return 'all'
  if (kind !== 'remedy_proposal') return undefined
  return String((payload as { refund?: unknown } | null | undefined)?.refund)
}

/** Returns the proposals that stand: the newest of each sender and kind that can be accepted and was not. */
export function standing(
  { state, amendments }: OrderBody,
  messages: readonly PageItem<'listMessages'>[],
): PageItem<'listMessages'>[] {
  const accepted = new Set(amendments?.map(({ message_urn }) => message_urn.body))
  const newest = new Map<string, PageItem<'listMessages'>>()
  for (const message of messages) newest.set(`${message.kind} ${message.sender_urn.body}`, message)
  const kinds: readonly string[] = proposable(state)
  return [...newest.values()].filter(({ kind, urn }) => kinds.includes(kind) && !accepted.has(urn.body))
}
