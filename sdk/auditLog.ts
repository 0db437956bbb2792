import { type AuditHead, type AuditPage, getAuditHead, listAuditLog } from '../api/platform/audit/routes.ts'
import { AUDIT_GENESIS, auditDigest, auditLink } from '../protocol/auditChain.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/signing.ts'
import type { Client } from './client.ts'

const PAGE = '500'

/** A verified position in the chain: store it, and continue from it next time. */
export interface AuditPlace {
  position: number
  /** Lowercase hex. */
  hash: string
}

/** Before the first entry. */
export const AUDIT_START: AuditPlace = { position: 0, hash: Buffer.from(AUDIT_GENESIS).toString('hex') }

/** What is wrong with a chain: an entry is missing, its content or its link was changed, or the head does not match. */
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
 * Verifies that entries continue the chain from a position, by the algorithm of docs/audit-log.md. Returns the last
 * entry's position. Throws an AuditChainError with the first entry that does not fit.
 */
export function verifyAuditPage(entries: AuditPage['entries'], from: AuditPlace): AuditPlace {
  let place = from
  for (const entry of entries) {
    const { position, previous_hash, digest, hash } = entry
    if (position !== place.position + 1) {
      throw new AuditChainError('gap', place.position + 1, `entry ${position} stands in its place`)
    }
    if (!isOf(entry)) throw new AuditChainError('digest', position, 'its content is not what its digest was made of')
    const link = auditLink(Buffer.from(place.hash, 'hex'), Buffer.from(digest, 'hex')).toString('hex')
    if (previous_hash !== place.hash || hash !== link) {
      throw new AuditChainError('link', position, 'it does not continue the chain before it')
    }
    place = { position, hash }
  }
  return place
}

/**
 * Verifies the whole log from a position up to the head, which one of the keys must have signed. Returns the head's
 * position. Throws an AuditChainError for a chain that was changed, truncated, or rolled back behind the position.
 */
export async function verifyAuditLog(
  client: Client,
  keys: readonly PublicKeyJwk[],
  from: AuditPlace = AUDIT_START,
): Promise<AuditPlace> {
  const { body: head } = await client.call(getAuditHead, {})
  const { position, hash } = await verifyHead(head, keys)
  if (position < from.position) throw new AuditChainError('head', position, 'the head is behind what was verified')
  let place = from
  let cursor: string | null = null
  while (place.position < position) {
    const page: AuditPage = await readPage(client, from, cursor)
    const upToHead = page.entries.filter((entry) => entry.position <= position)
    place = verifyAuditPage(upToHead, place)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  if (place.position !== position || place.hash !== hash) {
    throw new AuditChainError('head', position, 'the chain does not lead to the signed head')
  }
  return place
}

async function readPage(client: Client, from: AuditPlace, cursor: string | null): Promise<AuditPage> {
  const query = { limit: PAGE, after: String(from.position), ...(cursor === null ? {} : { cursor }) }
  return (await client.call(listAuditLog, { query })).body
}

async function verifyHead({ document, key_id: keyId, signature }: AuditHead, keys: readonly PublicKeyJwk[]) {
  if (await verifyDocument(document, { keyId, signature }, keys, { purpose: 'audit_head', at: document.as_of }))
    return document
  throw new AuditChainError('head', document.position, 'the head is not signed by a known key')
}

function isOf({ content, digest }: AuditPage['entries'][number]): boolean {
  if (content === null) return true
  const { salt, ...said } = content
  return auditDigest(said, Buffer.from(salt, 'hex')).toString('hex') === digest
}
