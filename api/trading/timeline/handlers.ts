import { urn } from '../../../protocol/encoding/urn.ts'
import { readBounds } from '../../platform/events/cursor.ts'
import { placeActs } from '../../platform/events/placeActs.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { readAhead, readUnderWay } from './internal/ahead.ts'
import { readBookings } from './internal/bookings.ts'
import { isWhole, readEvents } from './internal/events.ts'
import { comparePositions, readPosition, writePosition } from './internal/position.ts'
import { readViewer } from './internal/viewer.ts'
import { getTimeline, TIMELINE_KINDS } from './routes.ts'

export const timelineHandlers = [
  serve(getTimeline, {
    prepare: ({ db }) => placeActs(db),
    run: async (tx, { actor, settings }, { params, query, list }) => {
      const viewer = await readViewer(tx, actor, params.urn)
      const kinds = new Set(query.kinds ?? TIMELINE_KINDS)
      const after = readPosition(list.position())
      // Each statement has a snapshot of its own: what is placed between them is for the next page.
      const { end } = await readBounds(tx)
      const page = { after, end, kinds, limit: query.limit + 1 }
      const bookings = await readBookings(tx, settings.chain, params.urn, page)
      const events = await readEvents(tx, viewer, page)
      const found = [...bookings, ...events].sort((one, other) => comparePositions(one.position, other.position))
      const shown = found.slice(0, query.limit)
      const last = shown.at(-1)
      return {
        status: 200,
        body: {
          order_urn: urn('order', params.urn),
          is_complete: await isWhole(tx, params.urn),
          rows: shown.map(({ row }) => row),
          next_cursor: last && found.length > query.limit ? list.cursorTo(writePosition(last.position)) : null,
          under_way: await readUnderWay(tx, params.urn),
          ahead: await readAhead(tx, viewer.order),
        },
      }
    },
  }),
]
