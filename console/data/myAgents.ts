import { type UrnObject, urnString } from '../../protocol/encoding/urn.ts'
import { useList } from './queries.ts'

/** Returns the agents of the person, and functions that say on which side of an order they are. */
export function useMyAgents() {
  const { items, error } = useList('listAgents', { query: { limit: 100 } })
  const ids = new Set(items?.map(({ urn }) => urn.body))
  return {
    agents: items,
    error,
    /** Returns the sides of an order that are the person's: both, where they own both agents. */
    sidesOf: (order: { buyer_urn: UrnObject; seller_urn: UrnObject }) =>
      (['buyer', 'seller'] as const).filter((side) => ids.has(order[`${side}_urn`].body)),
    /** Returns the side of an order that is the person's, with the agent's URN. */
    sideOf: (order: { buyer_urn: UrnObject; seller_urn: UrnObject }) => {
      if (ids.has(order.buyer_urn.body)) return { side: 'buyer' as const, agent: agentUrn(order.buyer_urn) }
      if (ids.has(order.seller_urn.body)) return { side: 'seller' as const, agent: agentUrn(order.seller_urn) }
      return undefined
    },
  }
}

function agentUrn({ body }: UrnObject): string {
  return urnString('agent', body)
}
