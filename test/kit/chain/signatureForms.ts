import { concatHex, type Hex, numberToHex, slice } from 'viem'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other forms that wallets give a key's signature of 65 bytes, with a low s and a v of 27 or 28. */
export function otherForms(signature: Hex): Record<string, Hex> {
  const [r, s, v] = [slice(signature, 0, 32), BigInt(slice(signature, 32, 64)), BigInt(slice(signature, 64))]
  const joined = (s: bigint, v: bigint) => concatHex([r, numberToHex(s, { size: 32 }), numberToHex(v, { size: 1 })])
  return {
    'a v of 0 or 1': joined(s, v - 27n),
    'a high s': joined(CURVE_ORDER - s, 55n - v),
    'a high s and a v of 0 or 1': joined(CURVE_ORDER - s, 28n - v),
    '64 bytes (EIP-2098)': concatHex([r, numberToHex(s + ((v - 27n) << 255n), { size: 32 })]),
  }
}
