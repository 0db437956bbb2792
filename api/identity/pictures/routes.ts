import { z } from '@hono/zod-openapi'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { groundProblems } from '../../errors.ts'
import { FILE_REQUEST_HEADERS, fileAnswers } from '../../platform/http/files/fileAnswers.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { timestampText, UUID_PATTERN } from '../../platform/http/route/schemas.ts'
import { httpProblems } from '../../platform/http/serve/problems.ts'
import { pictureProblems } from './problems.ts'

const EXAMPLE_ID = '01890000-0000-7000-8000-000000000000'
const MAX_SUBJECTS = 100
const MUST = 'must be the URN of a human, of an agent or of an org'

/** Whom a picture shows. */
export interface Subject {
  kind: 'human' | 'agent' | 'org'
  id: string
}

const manage = { scope: 'manage', as: 'human' } as const

const subject = z
  .string()
  .regex(new RegExp(`^market:(human|agent|org):${UUID_PATTERN}$`), MUST)
  .transform((value): Subject => {
    const [, kind = '', id = ''] = value.split(':')
    return { kind: kind === 'human' || kind === 'agent' ? kind : 'org', id: id.toLowerCase() }
  })
  .openapi({
    description: 'URN of you, of an agent of yours, or of an org that you own or administer.',
    example: urnString('agent', EXAMPLE_ID),
  })

const picture = z
  .object({
    of: z.uuid().openapi({ description: 'The id of the person, the agent or the org: the last part of their URN.' }),
    id: z.uuid().openapi({ description: 'Of the picture, which is at /v1/pictures/{id}. A new one has another.' }),
    created_at: timestampText,
  })
  .openapi('Picture')

export const setPicture = defineRoute({
  operationId: 'setPicture',
  method: 'put',
  path: '/v1/me/pictures/{urn}',
  group: { name: 'pictures', about: 'What people, agents and orgs look like.' },
  summary: 'Set your picture, or that of an agent or an org of yours: a square is cut out of its middle',
  access: manage,
  upload: true,
  params: z.object({ urn: subject }),
  answers: { 200: { description: 'The picture, which replaces an earlier one.', schema: picture } },
  problems: [groundProblems.notFound, pictureProblems.unreadable],
})

export const removePicture = defineRoute({
  operationId: 'removePicture',
  method: 'delete',
  path: '/v1/me/pictures/{urn}',
  summary: 'Remove your picture, or that of an agent or an org of yours',
  access: manage,
  params: z.object({ urn: subject }),
  answers: { 204: { description: 'There is none.' } },
  problems: [groundProblems.notFound],
})

export const listPictures = defineRoute({
  operationId: 'listPictures',
  method: 'get',
  path: '/v1/pictures',
  group: { name: 'pictures' },
  summary: 'Find the pictures of those whose names you see: agents, people in your orgs, and orgs',
  access: { scope: 'read', as: 'any' },
  query: z.object({
    of: z
      .string()
      .transform((list) => list.toLowerCase().split(','))
      .refine(
        (ids) => ids.every((id) => new RegExp(`^${UUID_PATTERN}$`).test(id)),
        'must be UUIDs, with commas between',
      )
      .refine((ids) => ids.length <= MAX_SUBJECTS, `may have at most ${MAX_SUBJECTS} ids`)
      .openapi({
        description: `Ids of people, agents and orgs, the last parts of their URNs, with commas between: at most ${MAX_SUBJECTS}.`,
        example: EXAMPLE_ID,
      }),
  }),
  answers: {
    200: {
      description: 'The pictures. Who has none, or is not for you to see, is not among them.',
      schema: z.object({ pictures: z.array(picture) }),
    },
  },
})

export const getPicture = defineRoute({
  operationId: 'getPicture',
  method: 'get',
  path: '/v1/pictures/{id}',
  summary: 'Download a picture: whoever knows its address may',
  access: 'public',
  params: z.object({ id: z.uuid().openapi({ description: 'Id of the picture.', example: EXAMPLE_ID }) }),
  requestHeaders: FILE_REQUEST_HEADERS,
  answers: fileAnswers('image/webp', {}),
  problems: [groundProblems.notFound, httpProblems.rangeNotSatisfiable],
})
