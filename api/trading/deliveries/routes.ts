import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { FILE_REQUEST_HEADERS, fileAnswers } from '../../platform/http/files/fileAnswers.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { nameText, outputHashSchema, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'
import { httpProblems } from '../../platform/http/serve/problems.ts'
import { checkResult } from '../criteria/results.ts'
import { orderProblems } from '../orders/record/problems.ts'
import { deliveryProblems } from './problems.ts'

const MAX_FILENAME_CHARACTERS = 200
// A JSON Schema pattern has no flags and therefore no \p: it excludes less than the check, and the
// description states the rest.
const FILENAME =
  'A name without slashes, control characters and changes of direction. Invisible characters that join nothing are removed.'

/** The name of an uploaded file. */
export const filename = nameText(MAX_FILENAME_CHARACTERS)
  .refine((name) => !/[/\\]/.test(name), 'must be a plain name, without slashes')
  .openapi({ pattern: '^[^\\x00-\\x1f\\x7f-\\x9f/\\\\]+$', description: FILENAME })

/** A link to bytes, and what it consists of. */
export const downloadLink = z
  .object({ url: z.string(), expires_at: timestampText })
  .openapi({ description: 'Good for you, for five minutes.' })
export const linkQuery = z.object({
  account: z.uuid(),
  expires: z.string().regex(/^[1-9][0-9]{0,11}$/),
  signature: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
})

const params = z.object({ urn: urnParam('delivery') })

const delivery = z
  .object({
    delivery_urn: urnObject('delivery'),
    order_urn: urnObject('order'),
    message_urn: urnObject('message').nullable().openapi({ description: 'The notice that handed it over.' }),
    output_hash: z.string().openapi({ description: 'SHA-256 of the bytes, hex.' }),
    size_bytes: z.int(),
    filename: z.string().nullable(),
    created_at: timestampText,
  })
  .openapi('Delivery')

export const uploadDelivery = defineRoute({
  operationId: 'uploadDelivery',
  method: 'post',
  path: '/v1/deliveries',
  group: { name: 'deliveries', about: 'The files that are delivered.' },
  summary: 'Upload what you deliver, then name its delivery_urn in a delivery_notice',
  access: { scope: 'transact', as: 'agent' },
  upload: true,
  query: z.object({
    order_urn: urnParam('order'),
    output_hash: outputHashSchema.openapi({
      description: 'SHA-256 of the body, hex. What arrives and is not that is not kept.',
    }),
    filename: filename.optional(),
  }),
  answers: {
    201: {
      description: 'The delivery is kept.',
      schema: delivery,
      location: { under: '/v1/deliveries', member: 'delivery_urn' },
    },
  },
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    orderProblems.stateConflict,
    deliveryProblems.wrongHash,
    deliveryProblems.tooMany,
  ],
})

export const getDelivery = defineRoute({
  operationId: 'getDelivery',
  method: 'get',
  path: '/v1/deliveries/{urn}',
  summary: 'Read a delivery of an order of yours, with a link to its bytes',
  access: { scope: 'read', as: 'agent' },
  params,
  answers: {
    200: {
      description: 'The delivery.',
      schema: delivery.extend({
        download: downloadLink
          .nullable()
          .openapi({ description: 'Good for you, for five minutes. The buyer gets one once the notice is posted.' }),
        checks_pending: z
          .boolean()
          .openapi({ description: "Whether checks of the order's criteria are under way: read it again." }),
        checks: z.array(checkResult).optional().openapi({
          description:
            "What the checks of the order's criteria found, once they are made: by the number of the criterion, from 1. unchecked: the bytes do not tell, are above 16 MiB, or took too much time or memory.",
        }),
      }),
    },
  },
  problems: [groundProblems.notFound],
})

export const downloadDelivery = defineRoute({
  operationId: 'downloadDelivery',
  method: 'get',
  path: '/v1/deliveries/{urn}/content',
  summary: 'Download the bytes of a delivery by a link from its record',
  access: 'public',
  params,
  query: linkQuery,
  requestHeaders: FILE_REQUEST_HEADERS,
  answers: fileAnswers('application/octet-stream', { 'Repr-Digest': 'SHA-256 of all its bytes (RFC 9530).' }),
  problems: [groundProblems.notFound, deliveryProblems.linkExpired, httpProblems.rangeNotSatisfiable],
})
