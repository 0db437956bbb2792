import type { Body } from '../../../../data/queries.ts'

export type OrderBody = Body<'getOrder'>

/** The viewer of an order: their side, and the agent that they act as. */
export interface Viewer {
  side: 'buyer' | 'seller'
  agent: string
}
