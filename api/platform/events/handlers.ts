import type { Actor } from '../../context.ts'
import type { Tx } from '../db/pool.ts'
import { serve } from '../http/serve/serve.ts'
import type { ApplicationServices } from '../http/serve/services.ts'
import { type Started, serveStream } from '../http/streams/serveStream.ts'
import { findPlace, readBounds, writeCursor } from './cursor.ts'
import { Feed } from './internal/feed.ts'
import { pollEvents } from './internal/poll.ts'
import { placeActs } from './placeActs.ts'
import { publishedEventTypes } from './published.ts'
import { getEvents, listEventTypes, openEventSocket } from './routes.ts'
import { requireKnown } from './subjects.ts'
import { askedPlaces, visibleAccounts } from './visibility.ts'

/** One for each application. */
const feeds = new WeakMap<ApplicationServices, Feed>()

export const eventHandlers = [
  serveStream(
    getEvents,
    {
      prepare: ({ db }) => placeActs(db),
      start: (tx, { actor }, { query, raw }, services) => {
        const { subjects, cursor, last_event_id: lastEventId } = query
        const named = raw.header('Last-Event-ID') || lastEventId || cursor
        return startStream(tx, services, actor, { subjects, named })
      },
    },
    async (tx, { actor }, { query, raw }, services) => {
      const { subjects, limit, cursor, last_event_id: lastEventId } = query
      const from = cursor || raw.header('Last-Event-ID') || lastEventId
      return { status: 200, body: await pollEvents(tx, services, actor, { subjects, limit, from }) }
    },
  ),

  serveStream(openEventSocket, {
    prepare: ({ db }) => placeActs(db),
    start: (tx, { actor }, { query: { subjects, last_event_id: named } }, services) =>
      startStream(tx, services, actor, { subjects, named }),
  }),

  serve(listEventTypes, {
    withoutTransaction: async ({ settings }) => ({
      status: 200,
      body: { types: publishedEventTypes(settings.eventTypes) },
    }),
  }),
]

/**
 * Finds the starting place of a stream: the named place, or the end of the log. Throws 400 for a pattern that
 * matches no type.
 */
async function startStream(
  tx: Tx,
  services: ApplicationServices,
  actor: Actor,
  { subjects, named }: { subjects: readonly string[]; named: string | undefined },
): Promise<Started> {
  requireKnown(services.settings.eventTypes, subjects)
  const feed = feedOf(services)
  feed.requireRoom(actor)
  const accounts = visibleAccounts(actor)
  const orgs = await askedPlaces(tx, services, actor, subjects)
  const { epoch, end, purged } = await readBounds(tx)
  const from = await findPlace(tx, [...accounts, ...orgs], named || 'latest', { epoch, end, purged })
  const followed = { actor, filter: { accounts, orgs, subjects }, from, end, epoch }
  return { place: writeCursor(epoch, from), run: (sink) => feed.follow({ ...followed, sink }) }
}

function feedOf(services: ApplicationServices): Feed {
  const feed = feeds.get(services) ?? new Feed(services)
  feeds.set(services, feed)
  return feed
}
