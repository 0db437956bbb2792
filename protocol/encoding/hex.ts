import { type Address, type Hex, isAddress } from 'viem'
import { z } from 'zod'

// The OpenAPI generator treats a type set by hand as final: `.meta({ type: 'string' })` makes `.nullable()`
// disappear from the document. Both schemas are therefore plain strings with a pattern.

/** An account on chain in signed documents: 0x and 40 hex digits, with a valid checksum if in mixed case. */
export const addressText = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .refine((value) => isAddress(value), 'must be a checksummed address') as unknown as z.ZodType<Address, Address>

/** Bytes in signed documents: 0x and hex digits, two a byte. */
export const bytesText = z.string().regex(/^0x([0-9a-fA-F]{2})+$/, 'must be 0x and hex digits') as unknown as z.ZodType<
  Hex,
  Hex
>

/** 32 bytes in signed documents: 0x and 64 lowercase hex digits. */
export const hashText = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 lowercase hex digits') as unknown as z.ZodType<Hex, Hex>
