import { anyOf } from '../../../platform/db/lists.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { FreeNames } from '../../attachments/names.ts'
import type { ImportRow } from './find.ts'

const ROUNDS = 100

/**
 * Returns titles that differ from one another and from the titles of pages that the readers of a space see:
 * the given ones, or with ` (2)` and so on. Pages of other private spaces do not count, whoever imports,
 * because the number would reveal their titles.
 */
export async function freeTitles(
  db: Db,
  { org_id, space_id }: Pick<ImportRow, 'org_id' | 'space_id'>,
  titles: readonly string[],
): Promise<string[]> {
  const taken = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const chosen = choose(titles, taken)
    const rows = await db
      .selectFrom('market.pages as page')
      .innerJoin('market.spaces as space', 'space.id', 'page.space_id')
      .select('page.title')
      .distinct()
      .where('page.org_id', '=', org_id)
      .where('page.title', '=', anyOf(chosen))
      .where('page.trashed_at', 'is', null)
      .where((where) => where.or([where('space.visibility', '=', 'open'), where('space.id', '=', space_id)]))
      .execute()
    if (rows.length === 0) return chosen
    for (const { title } of rows) taken.add(title)
  }
  throw new Error(`no free titles were found in ${ROUNDS} rounds`)
}

function choose(titles: readonly string[], taken: ReadonlySet<string>): string[] {
  const free = new FreeNames(taken)
  return titles.map((title) => free.take(title))
}
