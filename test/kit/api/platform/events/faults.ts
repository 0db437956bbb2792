import { eventTypes } from '../../../../../api/modules.ts'
import type { Db } from '../../../../../api/platform/db/pool.ts'

/**
 * Compares every event of a database with the catalogue. Returns what differs: a type, or a member of a
 * payload.
 */
export async function eventFaults(db: Db): Promise<string[]> {
  const events = await db.selectFrom('market.events').select(['event_type', 'payload']).execute()
  return events.flatMap(({ event_type: type, payload }) => {
    const issues = eventTypes[type]?.payload.strict().safeParse(payload).error?.issues ?? []
    const found = issues.map(({ path, message }) => `${type}: ${path.join('.')} ${message}`)
    return type in eventTypes ? found : [`${type} is not in the catalogue`]
  })
}
