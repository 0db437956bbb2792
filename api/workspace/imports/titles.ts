import type { Db } from '../../platform/db/pool.ts'

const ROUNDS = 100

/** Returns titles that no page of an org has, and that differ from one another: those given, or with ` (2)` and so on. */
export async function freeTitles(db: Db, orgId: string, titles: readonly string[]): Promise<string[]> {
  const taken = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const chosen = choose(titles, taken)
    const rows = await db
      .selectFrom('market.pages')
      .select('title')
      .distinct()
      .where('org_id', '=', orgId)
      .where('title', 'in', chosen)
      .where('trashed_at', 'is', null)
      .execute()
    if (rows.length === 0) return chosen
    for (const { title } of rows) taken.add(title)
  }
  throw new Error(`no free titles were found in ${ROUNDS} rounds`)
}

function choose(titles: readonly string[], taken: ReadonlySet<string>): string[] {
  const used = new Set(taken)
  return titles.map((title) => {
    let free = title
    for (let number = 2; used.has(free); number++) free = `${title} (${number})`
    used.add(free)
    return free
  })
}
