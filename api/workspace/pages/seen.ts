import type { Tx } from '../../platform/db/pool.ts'
import { isTaskSeller, mayRead, type Reader, type TaskSeller } from '../membership.ts'

/** Returns those of these pages that a reader may see, also in the trash: what another space says of the others has no id of them. */
export async function findSeenPages(
  tx: Tx,
  reader: Reader | TaskSeller,
  ids: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const wanted = ids.filter((id) => id !== null)
  if (isTaskSeller(reader) || wanted.length === 0) return new Set()
  const rows = await tx
    .selectFrom('market.pages')
    .select('id')
    .where('id', 'in', wanted)
    .where(mayRead(reader, 'market.pages.space_id'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns the id of a thing as the event of something in a space may have it: null for what is in another, private space. */
export async function idForEvent(
  tx: Tx,
  thing: { id: string; space_id: string } | undefined,
  spaceId: string,
): Promise<string | null> {
  if (!thing || thing.space_id === spaceId) return thing?.id ?? null
  const { visibility } = await tx
    .selectFrom('market.spaces')
    .select('visibility')
    .where('id', '=', thing.space_id)
    .executeTakeFirstOrThrow()
  return visibility === 'open' ? thing.id : null
}
