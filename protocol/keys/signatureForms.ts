import { concatHex, type Hex, numberToHex, size, slice } from 'viem'
import { isSignedByKey, type SignedDigest } from './signatures.ts'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const PARITY_BIT = 255n

/**
 * Converts a signature by the account's own key to the form that tokens, and checks without a node, accept:
 * 65 bytes, a low s, a v of 27 or 28. Returns any other signature unchanged: the same bytes may mean
 * something else to a contract wallet.
 */
export async function normalizeSignature({ account, digest, signature }: SignedDigest): Promise<Hex> {
  const form = tokensForm(signature)
  if (form === undefined || form === signature) return signature
  return (await isSignedByKey({ account, digest, signature: form })) ? form : signature
}

/**
 * Reads 65 bytes with a v of 0, 1, 27 or 28, or 64 bytes with the parity in the first bit of s (EIP-2098).
 */
function tokensForm(signature: Hex): Hex | undefined {
  const bytes = size(signature)
  if (bytes !== 64 && bytes !== 65) return undefined
  const word = BigInt(slice(signature, 32, 64))
  const s = bytes === 64 ? BigInt.asUintN(Number(PARITY_BIT), word) : word
  const v = bytes === 64 ? word >> PARITY_BIT : BigInt(slice(signature, 64))
  const parity = v < 2n ? v : v - 27n
  if (parity !== 0n && parity !== 1n) return undefined
  if (s === 0n || s >= CURVE_ORDER) return undefined
  const isHigh = s > CURVE_ORDER / 2n
  const lowS = isHigh ? CURVE_ORDER - s : s
  const lowV = 27n + (isHigh ? 1n - parity : parity)
  return concatHex([slice(signature, 0, 32), numberToHex(lowS, { size: 32 }), numberToHex(lowV, { size: 1 })])
}
