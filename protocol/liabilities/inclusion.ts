import { parseAmount } from '../encoding/amounts.ts'
import { fromHex } from '../encoding/bytes.ts'
import { isInTree } from './liabilityPath.ts'

/** One balance, and the path from it to the root, as on the wire (protocol/liabilities/liabilities.ts). */
export interface Inclusion {
  account: string
  amount: string
  salt: string
  position: number
  path: readonly { hash: string; sum: string }[]
}

/** The members of a signed root that describe its tree. */
export interface PublishedRoot {
  root: string
  height: number
  total: string
}

/**
 * Returns whether a balance is in the tree of the signed root, and counted in its total. Does not verify the
 * signature. False for malformed input.
 */
export function isIncluded({ account, amount, salt, position, path }: Inclusion, document: PublishedRoot): boolean {
  if (!Number.isSafeInteger(position) || ![salt, document.root, ...path.map(({ hash }) => hash)].every(isHash))
    return false
  return isInTree(
    { account, amountMicros: micros(amount), salt: fromHex(salt) },
    {
      position: BigInt(position),
      siblings: path.map(({ hash, sum }) => ({ hash: fromHex(hash), sumMicros: micros(sum) })),
    },
    { hash: fromHex(document.root), sumMicros: micros(document.total), height: document.height },
  )
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Invalid amounts become negative, which the tree refuses. */
function micros(text: string): bigint {
  return parseAmount(text) ?? -1n
}
