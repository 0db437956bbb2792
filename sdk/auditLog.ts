import { type AuditHead, type AuditPage, getAuditHead, listAuditLog } from '../api/audit/routes.ts'
import { AUDIT_GENESIS, auditDigest, auditLink } from '../protocol/auditChain.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/signing.ts'
import type { Client } from './client.ts'

const PAGE = '500'

/** A place in the chain that was verified: keep it, and go on from it next time. */
export interface AuditPlace {
  position: number
  /** Lowercase hex. */
  hash: string
}

/** Before the first entry. */
export const AUDIT_START: AuditPlace = { position: 0, hash: Buffer.from(AUDIT_GENESIS).toString('hex') }

/** What is wrong with a chain: an entry is missing, its content or its link was changed, or the head does not fit it. */
export type AuditFault = 'gap' | 'digest' | 'link' | 'head'

/** The chain is not what it claims to be. `position` names the first entry that shows it. */
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
 * Verifies that entries continue the chain from a place on, each by the recipe of docs/audit-log.md, and answers the last
 * one's place. Throws an AuditChainError naming the first entry that does not.
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
 * Verifies the whole log from a place on, up to the head that is signed by one of the keys, and answers the head's place.
 * Throws an AuditChainError for a chain that was changed, cut short, or taken back behind the place.
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
  if (await verifyDocument(document, { keyId, signature }, keys)) return document
  throw new AuditChainError('head', document.position, 'the head is not signed by a known key')
}

function isOf({ content, digest }: AuditPage['entries'][number]): boolean {
  if (content === null) return true
  const { salt, ...said } = content
  return auditDigest(said, Buffer.from(salt, 'hex')).toString('hex') === digest
}
