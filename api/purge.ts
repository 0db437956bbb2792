import { sql } from 'kysely'
import type { Perishable } from './module.ts'
import { perishable } from './modules.ts'
import { forEach } from './platform/jobs/each.ts'
import type { JobServices } from './platform/jobs/services.ts'

const AT_ONCE = 1_000n

/**
 * Deletes rows that are no longer of use, the oldest of each table first. If one table fails, the others
 * continue.
 */
export async function purge(services: JobServices): Promise<void> {
  await forEach(services, 'purge', perishable, (rows) => purgeTable(services, rows))
}

async function purgeTable({ db, settings }: JobServices, rows: Perishable): Promise<void> {
  const { table, key, end, keptSeconds = () => 0 } = rows
  const name = sql.table(table)
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const time = sql.ref(end)
  for (let purged = AT_ONCE; purged === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${name} where (${keys}) in (
        select ${keys} from ${name} where ${time} <= market.now() - make_interval(secs => ${keptSeconds(settings.rules)})
        order by ${time} limit ${AT_ONCE} for update skip locked)`.execute(db)
    purged = numAffectedRows
  }
}
