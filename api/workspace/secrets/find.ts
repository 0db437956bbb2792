import type { Selectable } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { type Member, mayRead, type Reader, requireAdmin } from '../membership.ts'
import { refColumn } from '../schemas.ts'
import { openSpace } from '../spaces/find.ts'

/** A secret as stored, without its value. */
export type SecretRow = Omit<Selectable<Database['market.secrets']>, 'sealed_value'>

/**
 * Returns a secret that a reader sees, by its short id or UUID, without its value. Throws the uniform 404.
 */
export async function findSecret(tx: Tx, reader: Reader, ref: string): Promise<SecretRow> {
  const { column, value } = refColumn(ref)
  const row = await selectSecrets(tx, reader).where(column, '=', value).executeTakeFirst()
  if (row) return row
  throw notFound('secret')
}

/**
 * Returns a secret and locks it before it is changed or deleted. Throws the uniform 404, 403 unless the
 * caller made it or is an owner or admin of the org, and 409 for a secret in an archived space.
 */
export async function lockSecret(tx: Tx, member: Member, ref: string): Promise<SecretRow> {
  const { column, value } = refColumn(ref)
  const row = await selectSecrets(tx, member).where(column, '=', value).forUpdate().executeTakeFirst()
  if (!row) throw notFound('secret')
  if (row.created_by !== member.urn) requireAdmin(member)
  if (row.space_id !== null) await openSpace(tx, member, row.space_id)
  return row
}

/** Lists the secrets that a reader sees, of the org or of a space, newest first, starting below an id. */
export async function listSecretRows(
  tx: Tx,
  reader: Reader,
  spaceId: string | undefined,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<SecretRow[]> {
  let query = selectSecrets(tx, reader)
  if (spaceId !== undefined) query = query.where('space_id', '=', spaceId)
  if (from !== undefined) query = query.where('id', '<', from)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

function selectSecrets(tx: Tx, reader: Reader) {
  return tx
    .selectFrom('market.secrets')
    .select(['id', 'short_id', 'org_id', 'space_id', 'name', 'version'])
    .select(['created_by', 'created_at', 'updated_by', 'updated_at'])
    .where('org_id', '=', reader.orgId)
    .where((is) => is.or([is('space_id', 'is', null), mayRead(reader, 'market.secrets.space_id')]))
}

/** Returns a secret in its wire form: never its value. */
export function toSecret({ id, short_id, space_id, name, version, created_by, updated_by, ...row }: SecretRow) {
  const times = { created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
  return { id, short_id, space_id, name, version, created_by, updated_by, ...times }
}
