import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { URN_PREFIXES } from '../../../../protocol/encoding/urn.ts'
import { groundProblems, type ProblemType } from '../../../errors.ts'
import type { Access, Answer, RouteDefinition } from '../route/route.ts'
import { closed, isBodyOptional, timestampText, urnName, urnObject, urnParam } from '../route/schemas.ts'
import { CURRENT_VERSION, MARKET_VERSIONS } from '../route/versions.ts'
import { IDEMPOTENCY_KEY } from '../serve/idempotency.ts'
import { problemCode, problemType } from '../serve/problem.ts'
import { httpProblems } from '../serve/problems.ts'
import type { VersionAdapters } from '../serve/services.ts'
import {
  ACCEPT_ENCODING,
  ANSWER_HEADERS,
  AUTHENTICATE,
  PROBLEM_LINK,
  REPLAYED,
  RETRY_AFTER,
} from './internal/answerHeaders.ts'
import { addExamples } from './internal/documentExamples.ts'
import { mendSchemas } from './internal/mendSchemas.ts'
import { shareParts } from './internal/sharedParts.ts'
import { groupsOf } from './internal/tags.ts'

/** The shapes of an answer in older versions. */
type OlderVersions = Pick<VersionAdapters, 'olderAnswers' | 'olderProblemTypes'>

type Guarded = Exclude<Access, 'public'>

const BEARER = 'bearer'
const FORM = 'multipart/form-data'
const BYTES = 'application/octet-stream'
const bytes = z.string().openapi({ type: 'string', format: 'binary' })
const SESSION = 'session'

/**
 * Builds the machine-readable contract (spec 9): OpenAPI 3.1 of every route, with every status and problem it
 * can return.
 */
export function openApiDocument(
  routes: readonly RouteDefinition[],
  problems: readonly ProblemType[],
  versions: OlderVersions,
  baseUrl: string,
): Record<string, unknown> {
  const { openAPIRegistry: registry, getOpenAPI31Document } = new OpenAPIHono()
  registry.registerComponent('securitySchemes', BEARER, {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'market_pat_<random>',
  })
  registry.registerComponent('securitySchemes', SESSION, {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-market_session',
    description: 'A browser that a passkey has let in. Its writes must come from a page of this service.',
  })
  for (const [name, header] of Object.entries(ANSWER_HEADERS)) registry.registerComponent('headers', name, header)
  registry.registerComponent('headers', 'Link', PROBLEM_LINK)
  // A schema that first appears where it may be null would be nullable everywhere.
  for (const prefix of URN_PREFIXES) registry.register(urnName(prefix), urnObject(prefix))
  const { groups, groupOf } = groupsOf(routes)
  for (const route of routes) registry.registerPath(describe(route, groupOf(route.path), versions, baseUrl))
  const document = getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Market',
      version: CURRENT_VERSION,
      description: 'Agents sell and buy work here, with the money in escrow on a chain.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: groups,
  })
  return shareParts(addExamples(mendSchemas({ ...document }) as Record<string, unknown>, routes, problems))
}

function describe(route: RouteDefinition, group: string, versions: OlderVersions, baseUrl: string) {
  const { params, query, body } = route
  const typesOf = ({ name }: ProblemType) => [problemType(name), ...versions.olderProblemTypes(name, baseUrl)]
  return createRoute({
    operationId: route.operationId,
    method: route.method,
    path: route.path,
    summary: route.summary,
    tags: [group],
    security: route.access === 'public' ? [] : securityOf(route.access),
    ...(route.access === 'public' ? {} : { description: needsOf(route.access) }),
    request: {
      headers: z.object(headersOf(route)),
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(route.upload ? { body: { required: true, content: uploadOf(route) } } : {}),
      ...(body
        ? { body: { required: !isBodyOptional(body), content: { 'application/json': { schema: closed(body) } } } }
        : {}),
    },
    responses: { ...answersOf(route, versions), ...refusalsOf(route, typesOf) },
  })
}

function uploadOf({ form, uploadType = BYTES }: RouteDefinition) {
  return form ? { [FORM]: { schema: form.extend({ file: bytes }) } } : { [uploadType]: { schema: bytes } }
}

function securityOf({ reAuth }: Guarded): Record<string, string[]>[] {
  return reAuth ? [{ [SESSION]: [] }, { [BEARER]: [] }] : [{ [BEARER]: [] }, { [SESSION]: [] }]
}

function needsOf({ scope, reAuth }: Guarded): string {
  const needs = scope === 'none' ? 'Needs no scope.' : `Needs the scope \`${scope}\`.`
  return reAuth ? `${needs} Outside a sandbox it needs a session whose passkey is fresh.` : needs
}

function headersOf(route: RouteDefinition) {
  const versions = route.versions ?? MARKET_VERSIONS
  const version = z.enum(versions).openapi({
    description: 'The date of the wire format (spec 9). A write must say it; a read without it gets the current one.',
    example: versions.at(-1),
  })
  const own = Object.entries(route.requestHeaders ?? {})
  const actsAsAgent = route.access !== 'public' && (route.access.as === 'agent' || route.access.as === 'any')
  return {
    ...Object.fromEntries(own.map(([name, description]) => [name, z.string().optional().openapi({ description })])),
    ...(route.isWorkspace ? {} : { 'Market-Version': route.method === 'get' ? version.optional() : version }),
    ...(takesKeys(route)
      ? {
          'Idempotency-Key': z.string().regex(IDEMPOTENCY_KEY).optional().openapi({
            example: '01890000-0000-7000-8000-000000000000',
            description:
              'Yours to choose: the same call sent again with it has no further effect and is answered alike.',
          }),
        }
      : {}),
    ...(actsAsAgent
      ? {
          'Market-Agent': urnParam('agent')
            .optional()
            .openapi({ description: 'URN of the agent of yours to act as, with a token of a human.' }),
        }
      : {}),
  }
}

function answersOf(route: RouteDefinition, { olderAnswers }: OlderVersions) {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => [
      status,
      {
        description: answer.description,
        headers: headersOfAnswer(route, answer),
        ...contentOf(answer, olderAnswers(route.operationId, Number(status))),
      },
    ]),
  )
}

function contentOf({ schema, contentType }: Answer, older: readonly z.ZodType[]) {
  if (!schema && !contentType) return {}
  return {
    content: {
      ...(schema ? { 'application/json': { schema: inAnyVersion(schema, older) } } : {}),
      ...(contentType ? { [contentType]: { schema: contentType.startsWith('text/event') ? z.string() : bytes } } : {}),
    },
  }
}

function headersOfAnswer(route: RouteDefinition, { headers = {}, location }: Answer) {
  const own = { ...headers, ...(location ? { Location: 'Where it can be read: a path on this server.' } : {}) }
  return {
    ...commonHeaders(),
    ...Object.fromEntries(
      Object.entries(own).map(([name, description]) => [name, { description, schema: { type: 'string' as const } }]),
    ),
    ...(takesKeys(route) ? { 'Idempotent-Replayed': REPLAYED } : {}),
  }
}

function takesKeys(route: RouteDefinition): boolean {
  return route.method !== 'get' && !route.ignoresKeys
}

function commonHeaders() {
  return Object.fromEntries(Object.keys(ANSWER_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function inAnyVersion(schema: z.ZodType, older: readonly z.ZodType[]): z.ZodType {
  return older.length === 0 ? schema : z.union([schema, ...older])
}

/** A problem's types: first the one of the current version. */
type TypesOf = (type: ProblemType) => string[]

function refusalsOf(route: RouteDefinition, typesOf: TypesOf) {
  const byStatus = Map.groupBy(problemsOf(route), ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names.map(({ title }) => title).join('; '),
        headers: {
          ...commonHeaders(),
          Link: { $ref: '#/components/headers/Link' },
          ...(status === 401 ? { 'WWW-Authenticate': AUTHENTICATE } : {}),
          ...(status === 415 ? { 'Accept-Encoding': ACCEPT_ENCODING } : {}),
          ...(status === 429 || status === 503 ? { 'Retry-After': RETRY_AFTER } : {}),
          ...(names.includes(httpProblems.inFlight) ? { 'Retry-After': { ...RETRY_AFTER, required: false } } : {}),
        },
        content: { 'application/problem+json': { schema: problemSchema(route, status, names, typesOf) } },
      },
    ]),
  )
}

/** Returns every problem a route can return: its own, and those of the checks before its verb. */
export function problemsOf(route: RouteDefinition): ProblemType[] {
  const isWrite = route.method !== 'get'
  const names: ProblemType[] = [
    httpProblems.invalid,
    httpProblems.fault,
    httpProblems.unavailable,
    ...(route.isUncounted ? [] : [httpProblems.rateLimited]),
  ]
  if (isWrite)
    names.push(httpProblems.malformed, httpProblems.timeout, httpProblems.tooLarge, httpProblems.unsupportedMediaType)
  if (!route.isWorkspace) names.push(httpProblems.unknown, ...(isWrite ? [httpProblems.required] : []))
  if (takesKeys(route)) names.push(httpProblems.keyReused, httpProblems.inFlight, httpProblems.otherToken)
  if (Object.values(route.answers).some(({ schema, contentType }) => schema && !contentType))
    names.push(httpProblems.notAcceptable)
  if (route.versions) names.push(httpProblems.routeUnavailable)
  if (route.access !== 'public')
    names.push(groundProblems.unauthenticated, groundProblems.scopeInsufficient, groundProblems.forbidden)
  if (route.access !== 'public' && isWrite) names.push(groundProblems.originRefused)
  if (route.access !== 'public' && route.access.reAuth) names.push(groundProblems.reAuthRequired)
  if (route.params) names.push(groundProblems.notFound)
  return [...new Set([...names, ...(route.problems ?? [])])]
}

const reasons = z
  .array(z.object({ code: z.string(), count: z.int() }))
  .openapi({ description: 'Every cause, and how many things it is about.' })

const errors = z.array(z.object({ pointer: z.string(), detail: z.string() })).openapi({
  description: 'Wrong members of the body, each by its JSON Pointer (RFC 6901), where there may be several.',
})

const problem = z
  .object({
    type: z.string().openapi({
      description: 'Stable: branch on it. market:error:<area>/<name>; in 2026-05-05 the address of the page about it.',
    }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().openapi({ description: 'market:request:<id>' }),
    field: z.string().optional().openapi({ description: 'For input: the member, parameter or header at fault.' }),
    reasons: reasons.optional(),
    errors: errors.optional(),
    payout_from: timestampText
      .optional()
      .openapi({ description: 'When the payout wallet of the seller takes effect.' }),
    order_urn: urnObject('order').optional().openapi({ description: 'The order that was paid already.' }),
  })
  .openapi('Problem')

function problemSchema(route: RouteDefinition, status: number, names: readonly ProblemType[], typesOf: TypesOf) {
  const own = { type: z.enum(names.flatMap(typesOf)), status: z.literal(status) }
  return problem.and(
    z.object(route.isWorkspace ? { ...own, code: z.enum(names.map(({ name }) => problemCode(name))) } : own),
  )
}
