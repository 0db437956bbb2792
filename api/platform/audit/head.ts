import { sql } from 'kysely'
import { AUDIT_GENESIS } from '../../../protocol/auditChain.ts'
import type { Settings } from '../../context.ts'
import type { Db } from '../db/pool.ts'
import { signAs } from '../signing/keys.ts'
import type { AuditHead } from './routes.ts'

/** Returns a function that returns the signed head of the audit log, and signs the same head at most once a minute. */
export function auditHeads(): (db: Db, settings: Settings) => Promise<AuditHead> {
  const newest = new WeakMap<Settings, AuditHead>()
  return async (db, settings) => {
    const document = await readHead(db)
    const { position, as_of } = document
    const earlier = newest.get(settings)
    if (earlier?.document.position === position && earlier.document.as_of === as_of) return earlier
    const { keyId, signature } = await signAs(db, settings, 'audit_head', document)
    const head = { document, key_id: keyId, signature }
    newest.set(settings, head)
    return head
  }
}

async function readHead(db: Db): Promise<AuditHead['document']> {
  const { rows } = await sql<{ position: bigint | null; chain_hash: Buffer | null; as_of: Date }>`
    select head.position, head.chain_hash, date_trunc('minute', market.now()) as as_of
    from (values (1)) always
    left join lateral (
      select position, chain_hash from market.audit_log where position is not null order by position desc limit 1
    ) head on true`.execute(db)
  const [row] = rows
  if (!row) throw new Error('market.now() answered no row')
  return {
    type: 'market:audit-log-head',
    position: Number(row.position ?? 0n),
    hash: Buffer.from(row.chain_hash ?? AUDIT_GENESIS).toString('hex'),
    as_of: row.as_of.toISOString(),
  }
}
