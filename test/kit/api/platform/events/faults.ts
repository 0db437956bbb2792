import type { z } from 'zod'
import type { Db } from '../../../../../api/platform/db/pool.ts'
import { eventTypes } from '../../../../../api/platform/events/catalogue.ts'

/** Compares every event of a database with the catalogue. Returns what differs: a type, or a member of a payload. */
export async function eventFaults(db: Db): Promise<string[]> {
  const types: Record<string, { payload: z.ZodObject }> = eventTypes
  const events = await db.selectFrom('market.events').select(['event_type', 'payload']).execute()
  return events.flatMap(({ event_type: type, payload }) => {
    const issues = types[type]?.payload.strict().safeParse(payload).error?.issues ?? []
    const found = issues.map(({ path, message }) => `${type}: ${path.join('.')} ${message}`)
    return type in types ? found : [`${type} is not in the catalogue`]
  })
}
