import { sql } from 'kysely'
import { AUDIT_GENESIS, type AuditContent, auditDigest, auditLink } from '../../../protocol/records/auditChain.ts'
import type { Settings } from '../../context.ts'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { JobServices } from '../jobs/services.ts'
import { countForeignKeys } from '../signing/keys.ts'
import { type ChainPlace, type HeadRow, isOurs, leadsTo, newestRows } from './head.ts'

/** Small enough to keep a pass cheap, however long the log is; passes go through the log again and again. */
const AT_ONCE = 500
const MAX_POSITION = 9_223_372_036_854_775_807n
/** How long an entry may wait to be sealed: the job that seals runs every other second. */
const PATIENCE_MS = 60_000
const START: ChainPlace = { position: 0n, hash: Buffer.from(AUDIT_GENESIS) }

interface SealedEntry {
  position: bigint
  digest: Buffer
  chain_hash: Buffer
  actor: string | null
  action: string
  subject: string
  details: Record<string, unknown> | null
  salt: Buffer | null
  created_at: Date
  is_archived: boolean
}

/** A fault that was found, and its place. */
type Finding = readonly [sentence: string, about: Record<string, unknown>]

/** The state that a check keeps between passes. It is in memory, so no copy of the database can change it. */
interface Memory {
  /** Where the next part begins. */
  place: ChainPlace
  /** The newest head that was seen. */
  head: HeadRow | undefined
  /** How many signing keys are on file that are not ours. */
  foreignKeys: number
  /** The oldest entry that is not sealed, and when it was first seen. */
  waiting: { entry: bigint; sinceMs: number } | undefined
}

/**
 * Returns a job that compares the audit log with the signed heads. It raises an alarm if the chain no longer
 * leads to a head, if an entry does not match its digest, if somebody else inserted a head, or if entries
 * stay unsealed. Each pass checks the newest heads, the remembered head, and the next part of the log with
 * the heads in it. `patienceMs` is how long an entry may wait to be sealed.
 */
export function auditCheck({ patienceMs = PATIENCE_MS } = {}): (services: JobServices) => Promise<void> {
  const memory: Memory = { place: START, head: undefined, foreignKeys: 0, waiting: undefined }
  return async (services) => {
    const findings = await inTransaction(services.db, 'read only', async (tx) => [
      ...(await checkHeads(tx, services, memory)),
      ...(await checkPart(tx, services, memory)),
      ...(await checkKeys(tx, services, memory)),
      ...(await checkWaiting(tx, memory, patienceMs)),
    ])
    for (const [sentence, about] of findings) services.log.error({ alarm: true, ...about }, sentence)
  }
}

async function checkHeads(tx: Tx, services: JobServices, memory: Memory): Promise<Finding[]> {
  const rows = await newestRows(tx)
  const findings: Finding[] = []
  const signed: HeadRow[] = []
  for (const row of rows) {
    if (await isOurs(tx, services.settings, row)) signed.push(row)
    else findings.push(['a head of the audit log is on file that no key of ours signed', { head: `${row.id}` }])
  }
  for (const head of memory.head ? [...signed, memory.head] : signed)
    if (!(await leadsTo(tx, head))) findings.push(left(head))
  memory.head = signed[0] ?? memory.head
  return findings
}

/** Recomputes the next part of the chain. */
async function checkPart(tx: Tx, { settings }: JobServices, memory: Memory): Promise<Finding[]> {
  const { rows } = await sql<SealedEntry>`
    select seal.position, seal.digest, seal.chain_hash, entry.actor, entry.action, entry.subject, entry.details, entry.salt,
      entry.created_at,
      seal.position <= coalesce((select max(last_position) from market.audit_archives), 0) as is_archived
    from market.audit_seals seal left join market.audit_log entry on entry.id = seal.entry_id
    where seal.position > ${memory.place.position} order by seal.position limit ${AT_ONCE}`.execute(tx)
  const findings: Finding[] = []
  let { place } = memory
  for (const row of rows) {
    const { position, digest, chain_hash: hash } = row
    if (position !== place.position + 1n || !hash.equals(auditLink(place.hash, digest)))
      findings.push(['the audit log is no chain', { position: `${position}` }])
    if (!isOf(row)) findings.push(['an entry of the audit log was changed', { position: `${position}` }])
    place = { position, hash }
  }
  const isEnd = rows.length < AT_ONCE
  findings.push(...(await checkHeadsBetween(tx, settings, memory.place, isEnd ? undefined : place)))
  memory.place = isEnd ? START : place
  return findings
}

/**
 * Finds signed heads after a place that are not in the chain, up to another place if more of the log follows.
 */
async function checkHeadsBetween(tx: Tx, settings: Settings, from: ChainPlace, to?: ChainPlace): Promise<Finding[]> {
  const { rows } = await sql<HeadRow>`
    select head.* from market.audit_heads head left join market.audit_seals seal on seal.position = head.position
    where head.position > ${from.position} and head.position <= ${to?.position ?? MAX_POSITION}
      and seal.chain_hash is distinct from head.hash
    order by head.position limit ${AT_ONCE}`.execute(tx)
  const findings: Finding[] = []
  for (const head of rows) if (await isOurs(tx, settings, head)) findings.push(left(head))
  return findings
}

/** Alarms again only when there are more. */
async function checkKeys(tx: Tx, { settings }: JobServices, memory: Memory): Promise<Finding[]> {
  const [known, keys] = [memory.foreignKeys, await countForeignKeys(tx, settings)]
  memory.foreignKeys = keys
  return keys > known ? [['signing keys are on file that SIGNING_KEY did not seal', { keys }]] : []
}

/** Passes may follow each other at once, so only the time shows how long an entry has waited. */
async function checkWaiting(tx: Tx, memory: Memory, patienceMs: number): Promise<Finding[]> {
  const unsealed = tx.selectFrom('market.audit_unsealed').select('entry_id').orderBy('entry_id').limit(1)
  const entry = (await unsealed.executeTakeFirst())?.entry_id
  const { waiting } = memory
  if (entry === undefined || entry !== waiting?.entry) {
    memory.waiting = entry === undefined ? undefined : { entry, sinceMs: performance.now() }
    return []
  }
  if (performance.now() - waiting.sinceMs < patienceMs) return []
  return [['entries of the audit log are not being sealed', { entry: `${entry}` }]]
}

function left({ position, as_of }: HeadRow): Finding {
  return ['the audit log left a head that was signed', { position: `${position}`, as_of: as_of.toISOString() }]
}

/** An erased entry has no salt, and one that is only in an archive has nothing: the stored digest is used. */
function isOf({ actor, salt, digest, created_at, is_archived, ...said }: SealedEntry): boolean {
  if (actor === null) return is_archived
  if (salt === null) return said.details === null
  const content: AuditContent = { ...said, actor, created_at: created_at.toISOString() }
  return digest.equals(auditDigest(content, salt))
}
