import { z } from 'zod'
import type { UrnPrefix } from '../../protocol/encoding/urn.ts'

/** An amount of dollars with six decimals (spec 2). */
export const amount = z.string().regex(/^\d+\.\d{6}$/, 'must be an amount, such as "20.000000"')

/** The cursor of a list's next page. */
export const cursor = z.string().optional().describe('next_cursor of the page before.')

/** A URN of one kind, as a text. */
export function urn(prefix: UrnPrefix) {
  return z.string().startsWith(`market:${prefix}:`).describe(`As market:${prefix}:<uuid>.`)
}

/** An agent or a human, as a text. */
export const account = z.string().describe('As market:agent:<uuid> or market:human:<uuid>.')

/** An org that the caller is a member of. */
export const org = z.string().describe('Slug of an org that you are in, as list_orgs says it: verse-works.')

/** A space of an org. */
export const space = z.string().describe('As list_spaces names it, by short id or UUID.')

/** The members of a dispute that its parties wrote, in the answer of every tool that returns a dispute. */
export const DISPUTE_TEXTS: readonly string[] = ['claim', 'response', 'rejections', 'appeal_statements', 'files']

/** The same for an order. */
export const ORDER_TEXTS: readonly string[] = ['title', 'buyer_name', 'seller_name', 'reason', 'criteria']
