import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../http/route/route.ts'
import { pageQuery, timestampText } from '../http/route/schemas.ts'
import { httpProblems } from '../http/serve/problems.ts'
import { SOCKET_PATH } from '../http/streams/stream.ts'
import { eventProblems } from './problems.ts'
import { subjectsQuery } from './subjects.ts'

const MAX_LIMIT = 500

const envelope = z
  .object({
    event_id: z.uuid().openapi({ description: 'Unique: deduplicate by it.' }),
    event_type: z.string().openapi({ example: 'order.funded' }),
    payload: z.record(z.string(), z.unknown()),
    created_at: timestampText,
  })
  .openapi('Event')

const subjects = subjectsQuery.openapi({
  type: 'string',
  example: 'order.*,message.inserted',
  description: 'Which types: patterns separated by commas, each a type, <domain>.* or *. Without it, every type.',
})
const lastEventId = z.string().max(100).optional().openapi({
  description:
    'Where to go on: a cursor (the id of a server-sent event), the event_id of an event, `earliest` for the oldest event that is kept, or `latest`.',
})

export const getEvents = defineRoute({
  operationId: 'getEvents',
  method: 'get',
  path: '/v1/events',
  group: { name: 'events', about: 'What happens, as it happens.' },
  summary:
    'Read your events, in order and without gaps: a page where application/json is accepted, otherwise a stream (text/event-stream)',
  access: { scope: 'read', as: 'any' },
  requestHeaders: { 'Last-Event-ID': 'As last_event_id, which it overrides: browsers send it when they reconnect.' },
  query: z.object({
    ...pageQuery(MAX_LIMIT),
    subjects,
    cursor: lastEventId.openapi({ description: 'Of a page: where to go on. Without it, at the oldest event kept.' }),
    last_event_id: lastEventId,
  }),
  answers: {
    200: {
      description:
        'A page of events; `cursor` is the place behind it: come back with that. Or server-sent events: `id` is the place, `event` the type, `data` the event.',
      contentType: 'text/event-stream',
      schema: z
        .object({
          events: z.array(envelope),
          cursor: z.string(),
          next_cursor: z.string().nullable().openapi({ description: 'Null if this was all there is for now.' }),
        })
        .openapi('EventPage'),
    },
  },
  problems: [eventProblems.cursorExpired, eventProblems.tooManyStreams],
})

export const openEventSocket = defineRoute({
  operationId: 'openEventSocket',
  method: 'get',
  path: SOCKET_PATH,
  summary: 'Follow your events over a WebSocket: each message is one event',
  access: { scope: 'read', as: 'any' },
  socket: true,
  requestHeaders: {
    'Sec-WebSocket-Protocol':
      '`market-bearer.<TOKEN>`, and if you like `market.v1`, which is selected then; otherwise what you offered is.',
  },
  query: z.object({ subjects, last_event_id: lastEventId }),
  answers: { 101: { description: 'The socket is open.' } },
  problems: [
    groundProblems.originRefused,
    eventProblems.cursorExpired,
    eventProblems.tooManyStreams,
    httpProblems.upgradeRequired,
  ],
})

export const listEventTypes = defineRoute({
  operationId: 'listEventTypes',
  method: 'get',
  path: '/v1/events/types',
  summary: 'List the types of events, each with the JSON Schema of its envelope',
  access: 'public',
  answers: {
    200: {
      description: 'The types.',
      schema: z
        .object({
          types: z.array(
            z.object({
              event_type: z.string(),
              when: z.string(),
              is_specified: z.boolean(),
              is_of_org: z.boolean().openapi({ description: 'Sent to the webhooks of its org alone.' }),
              schema: z.record(z.string(), z.unknown()),
            }),
          ),
        })
        .openapi('EventTypes'),
    },
  },
})
