import { fromHex, toHex } from '../protocol/encoding/bytes.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'
import { AUDIT_GENESIS, auditDigest, auditLink } from '../protocol/records/auditChain.ts'
import type { components } from './generated/schema.ts'
import type { Market } from './market.ts'

const PAGE = 500
// The form in which the service writes digests and salts.
const HEX = /^[0-9a-f]{64}$/

/** An entry of the audit log, as GET /v1/audit-log answers. */
export type AuditEntry = AuditPage['entries'][number]

/** A signed head of the audit log, as GET /v1/audit-log/head answers: keep it. */
export type AuditHead = components['schemas']['AuditHead']

type AuditPage = components['schemas']['AuditPage']

/** A verified position in the chain: store it, and continue from it next time. */
export interface AuditPlace {
  position: number
  /** Lowercase hex. */
  hash: string
}

/** Before the first entry. */
export const AUDIT_START: AuditPlace = { position: 0, hash: toHex(AUDIT_GENESIS) }

/**
 * What is wrong with a chain: an entry is missing, its content or its link was changed, or the head does not
 * match.
 */
export type AuditFault = 'gap' | 'digest' | 'link' | 'head'

/** The chain is not valid. `position` is the first entry that shows it. */
export class AuditChainError extends Error {
  readonly fault: AuditFault
  readonly position: number

  constructor(fault: AuditFault, position: number, detail: string) {
    super(`audit log, entry ${position}: ${detail}`)
    this.name = 'AuditChainError'
    this.fault = fault
    this.position = position
  }
}

/**
 * Verifies that entries continue the chain from a position, by the algorithm of docs/audit-log.md. Returns
 * the last entry's position. Throws an AuditChainError with the first entry that does not fit.
 */
export function verifyAuditPage(entries: readonly AuditEntry[], from: AuditPlace): AuditPlace {
  let place = from
  for (const entry of entries) {
    const { position, previous_hash, digest, hash } = entry
    if (position !== place.position + 1) {
      throw new AuditChainError('gap', place.position + 1, `entry ${position} stands in its place`)
    }
    if (!isOf(entry)) throw new AuditChainError('digest', position, 'its content is not what its digest was made of')
    const link = toHex(auditLink(fromHex(place.hash), fromHex(digest)))
    if (previous_hash !== place.hash || hash !== link) {
      throw new AuditChainError('link', position, 'it does not continue the chain before it')
    }
    place = { position, hash }
  }
  return place
}

/**
 * Verifies the whole log from a position up to the head, which one of the keys must have signed. Compares the
 * log with heads that the caller kept: this detects a change to any entry before a kept head, even if newer
 * heads were signed since. Returns the position of the head, and the compared heads: the current one, and the
 * kept ones that are not before `from`. Throws an AuditChainError for a chain that was changed, truncated, or
 * rolled back behind the position or a head.
 */
export async function verifyAuditLog(
  market: Pick<Market, 'call'>,
  keys: readonly PublicKeyJwk[],
  from: AuditPlace = AUDIT_START,
  kept: readonly AuditHead[] = [],
): Promise<AuditPlace & { heads: AuditHead[] }> {
  const { body: head } = await market.call('getAuditHead', {})
  const heads = [...kept, head].filter(({ document }) => document.position >= from.position)
  const { position } = head.document
  if (position < from.position) throw new AuditChainError('head', position, 'the head is behind what was verified')
  for (const { document } of await verifyHeads(heads, keys))
    if (document.position > position)
      throw new AuditChainError('head', position, `the log had ${document.position} entries at ${document.as_of}`)
  let place = from
  let cursor: string | null = null
  requireHeads(heads, [from])
  while (place.position < position) {
    const page: AuditPage = await readPage(market, from, cursor)
    const upToHead = page.entries.filter((entry) => entry.position <= position)
    place = verifyAuditPage(upToHead, place)
    requireHeads(heads, upToHead)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  if (place.position !== position) {
    throw new AuditChainError('head', position, 'the chain does not lead to the signed head')
  }
  return { ...place, heads }
}

/**
 * Throws an AuditChainError with the first of these verified places for which a head was signed with another
 * hash.
 */
function requireHeads(heads: readonly AuditHead[], places: readonly AuditPlace[]): void {
  const hashes = new Map(places.map(({ position, hash }) => [position, hash]))
  for (const { document } of heads.toSorted((one, other) => one.document.position - other.document.position)) {
    const { position, hash, as_of: at } = document
    const found = hashes.get(position)
    if (found !== undefined && found !== hash)
      throw new AuditChainError('head', position, `another hash was signed for it at ${at}`)
  }
}

async function readPage(market: Pick<Market, 'call'>, from: AuditPlace, cursor: string | null): Promise<AuditPage> {
  const query = { limit: PAGE, after: from.position, ...(cursor === null ? {} : { cursor }) }
  return (await market.call('listAuditLog', { query })).body
}

async function verifyHeads(heads: readonly AuditHead[], keys: readonly PublicKeyJwk[]): Promise<readonly AuditHead[]> {
  for (const { document, key_id: keyId, signature } of heads) {
    const signed = { purpose: 'audit_head', at: document.as_of } as const
    const isHead = document.type === 'market:audit-log-head'
    if (!isHead || !(await verifyDocument(document, { keyId, signature }, keys, signed)))
      throw new AuditChainError('head', document.position, 'the head is not signed by a known key')
  }
  return heads
}

function isOf({ content, digest }: AuditEntry): boolean {
  if (!HEX.test(digest)) return false
  if (content === null) return true
  const { salt, ...said } = content
  return HEX.test(salt) && toHex(auditDigest(said, fromHex(salt))) === digest
}
