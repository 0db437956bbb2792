import { type Selectable, sql } from 'kysely'
import { verifyDocument } from '../../../protocol/keys/signing.ts'
import { AUDIT_GENESIS } from '../../../protocol/records/auditChain.ts'
import type { Settings } from '../../context.ts'
import { readClock } from '../db/clock.ts'
import type { Database } from '../db/generated/tables.ts'
import type { Db } from '../db/pool.ts'
import { publishedKeys, signAs } from '../signing/keys.ts'
import type { AuditHead } from './routes.ts'

/**
 * A head is signed again at this age even if nothing happened: the signature then says that nothing happened.
 */
const RENEWED_AFTER_MS = 3_600_000
/** How many of the newest rows each check looks at. */
const LOOKED_AT = 20
const AT_ONCE = 500
/**
 * A log that is longer than this has a head of ours: one is signed for every 500 entries. Without it, the
 * heads are gone.
 */
const FIRST_HEAD_BY = 2_000n

/** The last head whose signature was verified: most calls find it again. */
const verified = new WeakMap<Settings, string>()
/** The newest head of ours that a process found, and the last row that it looked at: rows never change. */
const scanned = new WeakMap<Settings, { head: HeadRow; through: bigint }>()

/** A stored head. */
export type HeadRow = Selectable<Database['market.audit_heads']>

/** A place in the chain. */
export interface ChainPlace {
  position: bigint
  hash: Buffer
}

/** Returns the newest signed head of the audit log. Signs one if there is none yet. */
export async function readHead(db: Db, settings: Settings): Promise<AuditHead> {
  return toHead((await newestSigned(db, settings)) ?? (await keepHead(db, settings)))
}

/**
 * Returns the newest signed head. Signs the end of the chain first if it has no head. Does not sign a chain
 * that no longer leads to the newest head. Throws an Error if a log that is not new has no head: somebody
 * removed or replaced them all.
 */
export async function keepHead(db: Db, settings: Settings): Promise<HeadRow> {
  const [newest, end, now] = [await newestSigned(db, settings), await chainEnd(db), await readClock(db)]
  if (newest) {
    const isEnd = newest.position === end.position && now.getTime() - newest.as_of.getTime() < RENEWED_AFTER_MS
    if (isEnd || !(await leadsTo(db, newest))) return newest
  } else if (end.position > FIRST_HEAD_BY) {
    throw new Error(`the audit log has ${end.position} entries, and no head of ours`)
  }
  const { keyId, signature } = await signAs(db, settings, 'audit_head', documentOf({ ...end, as_of: now }))
  await sql`select market.add_audit_head(${end.position}, ${end.hash}, ${now}, ${keyId}, ${signature})`.execute(db)
  // Another worker may have added one first, or the rows of this minute are used up.
  const kept = await newestSigned(db, settings)
  if (!kept) throw new Error('the first head of the audit log was refused')
  return kept
}

/** Returns the newest rows of heads, newest first, whoever inserted them. */
export function newestRows(db: Db): Promise<HeadRow[]> {
  return db.selectFrom('market.audit_heads').selectAll().orderBy('id', 'desc').limit(LOOKED_AT).execute()
}

/** Returns whether a key of ours signed a row. If not, somebody else inserted it. */
export async function isOurs(db: Db, settings: Settings, row: HeadRow): Promise<boolean> {
  const head = toHead(row)
  const text = JSON.stringify(head)
  if (verified.get(settings) === text) return true
  const { document, key_id: keyId, signature } = head
  const signed = { purpose: 'audit_head', at: document.as_of } as const
  if (!(await verifyDocument(document, { keyId, signature }, await publishedKeys(db, settings), signed))) return false
  verified.set(settings, text)
  return true
}

/**
 * Returns the newest head that a key of ours signed, however many rows are newer. A process looks at each row
 * once, in batches; the database bounds how many rows a login can add in a minute.
 */
export async function newestSigned(db: Db, settings: Settings): Promise<HeadRow | undefined> {
  const known = await stillKnown(db, settings)
  let newest: bigint | undefined
  for (let before: bigint | undefined; ; ) {
    const rows: HeadRow[] = await rowsBetween(db, known?.through, before)
    newest ??= rows[0]?.id
    for (const row of rows) {
      if (!(await isOurs(db, settings, row))) continue
      scanned.set(settings, { head: row, through: newest ?? row.id })
      return row
    }
    before = rows.at(-1)?.id
    if (rows.length < AT_ONCE) break
  }
  if (known && newest !== undefined) scanned.set(settings, { head: known.head, through: newest })
  return known?.head
}

/** Returns what this process knows, unless the row is not there any more. */
async function stillKnown(db: Db, settings: Settings) {
  const known = scanned.get(settings)
  if (!known) return undefined
  const rows = db.selectFrom('market.audit_heads').selectAll().where('id', '=', known.head.id)
  const row = await rows.executeTakeFirst()
  if (row && JSON.stringify(toHead(row)) === JSON.stringify(toHead(known.head))) return known
  scanned.delete(settings)
  return undefined
}

function rowsBetween(db: Db, after = 0n, before?: bigint): Promise<HeadRow[]> {
  const rows = db.selectFrom('market.audit_heads').selectAll().where('id', '>', after).orderBy('id', 'desc')
  return (before === undefined ? rows : rows.where('id', '<', before)).limit(AT_ONCE).execute()
}

/** Returns whether the chain has a head's hash at its position. */
export async function leadsTo(db: Db, { position, hash }: ChainPlace): Promise<boolean> {
  if (position === 0n) return hash.equals(AUDIT_GENESIS)
  const seal = db.selectFrom('market.audit_seals').select('chain_hash').where('position', '=', position)
  return (await seal.executeTakeFirst())?.chain_hash.equals(hash) ?? false
}

async function chainEnd(db: Db): Promise<ChainPlace> {
  const seals = db.selectFrom('market.audit_seals').select(['position', 'chain_hash'])
  const last = await seals.orderBy('position', 'desc').limit(1).executeTakeFirst()
  return { position: last?.position ?? 0n, hash: last?.chain_hash ?? Buffer.from(AUDIT_GENESIS) }
}

function documentOf({ position, hash, as_of: asOf }: ChainPlace & { as_of: Date }): AuditHead['document'] {
  return {
    type: 'market:audit-log-head',
    position: Number(position),
    hash: hash.toString('hex'),
    as_of: asOf.toISOString(),
  }
}

/** Returns a head in its wire form. */
export function toHead({ key_id, signature, ...signed }: HeadRow): AuditHead {
  return { document: documentOf(signed), key_id, signature }
}
