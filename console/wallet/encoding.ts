// Loaded with the first call of a wallet, so that no page loads viem at first.
import {
  type Address,
  getAddress,
  getTypesForEIP712Domain,
  type Hex,
  isAddress,
  serializeTypedData,
  stringToHex,
  type TypedDataDomain,
} from 'viem'

/** Typed data to be signed (EIP-712); its values may be bigint. */
export interface SignableData {
  domain?: object
  types: object
  primaryType: string
  message: object
}

/** Returns an address with its checksum (EIP-55), or undefined for anything else. */
export function addressOf(text: unknown): Address | undefined {
  return typeof text === 'string' && isAddress(text, { strict: false }) ? getAddress(text) : undefined
}

/** As addressOf, for typed input: undefined also for an address in mixed case with a wrong checksum. */
export function typedAddressOf(text: string): Address | undefined {
  return isAddress(text) ? getAddress(text) : undefined
}

/** Returns a text as wallets take it to sign: its UTF-8 bytes in hex. */
export function messageHex(text: string): Hex {
  return stringToHex(text)
}

/**
 * Returns typed data as wallets take it: JSON with the type of its domain, and integers as decimal digits.
 */
export function typedDataJson({ domain = {}, types, primaryType, message }: SignableData): string {
  return serializeTypedData({
    domain,
    primaryType,
    message,
    types: { EIP712Domain: getTypesForEIP712Domain({ domain: domain as TypedDataDomain }), ...types },
  } as Parameters<typeof serializeTypedData>[0])
}
