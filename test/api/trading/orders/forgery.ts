import type { Hex } from 'viem'
import { uncheckedAuthorization } from '../../../chain/unchecked.ts'
import type { PlacedOrder, TestMarket } from '../../trading.ts'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

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

/** The other signature that is valid for the same message and key (s mirrored): the token takes only the low one. */
export function malleated(signed: string): string {
  const { signature } = JSON.parse(Buffer.from(signed, 'base64').toString()) as { signature: Hex }
  const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return tampered(signed, { signature: `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` })
}
