import type { Actor } from '../../../context.ts'
import type { Tx } from '../../db/pool.ts'
import type { ApplicationServices } from '../../http/serve/services.ts'
import { findPlace, readBounds, writeCursor } from '../cursor.ts'
import type { Envelope } from '../log.ts'
import { readVisible } from '../log.ts'
import { requireKnown } from '../subjects.ts'
import { askedPlaces, visibleAccounts } from '../visibility.ts'

/** The parameters of a page of events. */
export interface PageInput {
  subjects: readonly string[]
  limit: number
  /** A cursor, an event_id, `earliest` or `latest`. */
  from: string | undefined
}

/** A list of events, and the cursor after it. */
export interface EventPage {
  events: Envelope[]
  cursor: string
  next_cursor: string | null
}

/**
 * Returns the caller's next events, among those that have their places (`placeActs`). Throws 400 for a
 * pattern that matches no type, and events/cursor-expired (410) if the log no longer continues from the named
 * place.
 */
export async function pollEvents(
  tx: Tx,
  services: Pick<ApplicationServices, 'settings' | 'findPlaces'>,
  actor: Actor,
  { subjects, limit, from }: PageInput,
): Promise<EventPage> {
  requireKnown(services.settings.eventTypes, subjects)
  const accounts = visibleAccounts(actor)
  const orgs = await askedPlaces(tx, services, actor, subjects)
  const bounds = await readBounds(tx)
  const after = await findPlace(tx, [...accounts, ...orgs], from || 'earliest', bounds)
  const { events, end, hasMore } = await readVisible(tx, { accounts, orgs, subjects }, after, limit)
  const cursor = writeCursor(bounds.epoch, end)
  return { events: events.map(({ envelope }) => envelope), cursor, next_cursor: hasMore ? cursor : null }
}
