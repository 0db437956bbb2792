import { uncheckedAuthorization } from '../../../chain/unchecked.ts'
import type { PlacedOrder, TestMarket } from '../../trading.ts'

/** Any JSON value as the fund call would carry it. */
export function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

/** A signed authorization with members exchanged after it was signed. `undefined` takes a member out. */
export function tampered(signed: string, changes: Record<string, unknown>): string {
  return encoded({ ...JSON.parse(Buffer.from(signed, 'base64').toString()), ...changes })
}

/** The buyer's signature over a `ReceiveWithAuthorization`, which is another type for the token. */
export function signedAsReceive({ chain }: TestMarket, order: PlacedOrder): Promise<string> {
  return uncheckedAuthorization(order.offer, order.buyer.wallet, chain.tokenNames, 'receive')
}
