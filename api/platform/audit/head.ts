import type { Selectable } from 'kysely'
import { verifyDocument } from '../../../protocol/keys/signing.ts'
import { AUDIT_GENESIS } from '../../../protocol/records/auditChain.ts'
import type { Settings } from '../../context.ts'
import { readClock } from '../db/clock.ts'
import type { Database } from '../db/generated/tables.ts'
import type { Db } from '../db/pool.ts'
import { publishedKeys, signAs } from '../signing/keys.ts'
import type { AuditHead } from './routes.ts'

/** A head is signed again at this age even if nothing happened: the signature then says that nothing happened. */
const RENEWED_AFTER_MS = 3_600_000
/** Anyone with a database login can insert unsigned rows. This many of them cannot hide a head. */
const LOOKED_AT = 20

/** The last head whose signature was verified: most calls find it again. */
const verified = new WeakMap<Settings, string>()

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
 * Returns the newest signed head. Signs the end of the chain first if it has no head. Does not sign a chain that no longer
 * leads to the newest head.
 */
export async function keepHead(db: Db, settings: Settings): Promise<HeadRow> {
  const [newest, end, now] = [await newestSigned(db, settings), await chainEnd(db), await readClock(db)]
  if (newest) {
    const isEnd = newest.position === end.position && now.getTime() - newest.as_of.getTime() < RENEWED_AFTER_MS
    if (isEnd || !(await leadsTo(db, newest))) return newest
  }
  const { keyId, signature } = await signAs(db, settings, 'audit_head', documentOf({ ...end, as_of: now }))
  return db
    .insertInto('market.audit_heads')
    .values({ ...end, as_of: now, key_id: keyId, signature })
    .returningAll()
    .executeTakeFirstOrThrow()
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

/** Returns the newest head that a key of ours signed. */
export async function newestSigned(db: Db, settings: Settings): Promise<HeadRow | undefined> {
  for (const row of await newestRows(db)) if (await isOurs(db, settings, row)) return row
  return undefined
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
