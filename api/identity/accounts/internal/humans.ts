import { sql } from 'kysely'
import { urn } from '../../../../protocol/encoding/urn.ts'
import type { Tx } from '../../../platform/db/pool.ts'

const URN = /^market:(human|agent):([0-9a-f-]{36})$/

interface HumanRow {
  id: string
  display_name: string
  role: 'member' | 'operator'
  is_reviewer: boolean
  passkeys: number
  created_at: Date
  erased_at: Date | null
}

/**
 * Lists people by name, ignoring case, and then by id, starting after an id. `q` is the beginning of a name,
 * the URN of a human, or the URN of one of their agents.
 */
export async function listHumanRows(
  tx: Tx,
  { q, from, limit }: { q: string | undefined; from: string | undefined; limit: number },
): Promise<HumanRow[]> {
  const [, kind, id] = URN.exec(q ?? '') ?? []
  const theirs = sql`human.id = ${kind === 'agent' ? sql`(select owner_id from market.agents where id = ${id})` : id}`
  const named = sql`${NAME} like lower(${(q ?? '').replaceAll(/[\\%_]/g, '\\$&')}) || '%'`
  const after = sql`(${NAME}, human.id) > (select ${NAME}, human.id from market.humans human where human.id = ${from ?? null})`
  const { rows } = await sql<HumanRow>`
    select human.id, human.display_name, human.role, human.is_reviewer, human.created_at, human.erased_at,
      (select count(*)::int from market.passkeys good
       where good.human_id = human.id and good.flagged_at is null) as passkeys
    from market.humans human
    where ${kind ? theirs : named} and ${from ? after : sql`true`}
    order by ${NAME}, human.id limit ${limit}`.execute(tx)
  return rows
}

// The same expression as in the index: only byte order supports both the prefix search and the order of the
// list.
const NAME = sql`(lower(human.display_name) collate "C")`

/** Returns a person in the form that operators see. */
export function toKnownHuman({ id, created_at: createdAt, erased_at: erasedAt, ...shown }: HumanRow) {
  return {
    urn: urn('human', id),
    ...shown,
    created_at: createdAt.toISOString(),
    erased_at: erasedAt?.toISOString() ?? null,
  }
}
