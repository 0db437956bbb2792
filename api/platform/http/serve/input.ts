import { z } from 'zod'
import { notFound, Problem } from '../../../errors.ts'
import type { RouteDefinition } from '../route/route.ts'
import { closed, isBodyOptional } from '../route/schemas.ts'
import type { MarketVersion } from '../route/versions.ts'
import { bodyMissing, readBody, readInflated, requireJson, requirePlain } from './body.ts'
import { parseJson, requireStorable } from './json.ts'
import { plainMessage } from './plainMessage.ts'
import { httpProblems } from './problems.ts'
import type { RequestContext, VersionAdapters } from './services.ts'

const NOTHING = z.object({})
const NO_BYTES = Buffer.alloc(0)
/** The maximum number of errors that one answer lists. */
const MOST_TOLD = 20

/** The headers and body of a request, as received. */
export interface RawInput {
  body: Buffer
  stream: ReadableStream<Uint8Array> | null
  header: (name: string) => string | undefined
}

/**
 * Validates a request's path and query. Throws 404 for a path that cannot name anything, 400 naming the first
 * wrong parameter.
 */
export function readAddress(route: RouteDefinition, context: RequestContext) {
  const params = (route.params ?? NOTHING).safeParse(context.req.param())
  // A malformed id gets the same answer as an id that does not exist.
  if (!params.success) throw notFound('resource')
  return { params: params.data, query: validate(closed(route.query ?? NOTHING), readQuery(context)) }
}

/**
 * Reads the body of a request; an upload's is left to its verb. Throws 408, 413, 400 for
 * broken compression, and 415 for a compressed upload and for other encodings than gzip.
 */
export async function readRaw(route: RouteDefinition, context: RequestContext): Promise<RawInput> {
  const read = route.ignoresBody ? readBody : readInflated
  const body = route.method === 'get' || route.upload ? NO_BYTES : await read(context)
  if (route.upload) requirePlain(context, route.form !== undefined)
  return {
    body,
    // Opened only on demand: a web stream takes the bytes from the connection at once.
    get stream() {
      return route.upload ? context.req.raw.body : null
    },
    header: (name: string) => context.req.header(name),
  }
}

function readQuery(context: RequestContext): Record<string, string> {
  return Object.fromEntries(
    Object.entries(context.req.queries()).map(([name, values]) => {
      const [value = '', ...more] = values
      if (more.length > 0) throw invalid(name, 'may be given only once')
      requireStorable(name, 'query')
      requireStorable(value, name)
      return [name, value]
    }),
  )
}

/** Validates the body of a request. Throws 415, and 400 naming the first invalid member. */
export function readJsonBody(
  versions: VersionAdapters,
  route: RouteDefinition,
  version: MarketVersion,
  context: RequestContext,
  bytes: Buffer,
): unknown {
  if (route.upload || route.ignoresBody) return undefined
  if (bytes.length === 0) {
    if (!route.body) return undefined
    if (!isBodyOptional(route.body)) throw bodyMissing()
    return validate(closed(route.body), versions.upgradeRequest(version, route.operationId, {}))
  }
  requireJson(context)
  const value = versions.upgradeRequest(version, route.operationId, parseJson(bytes))
  if (route.body) return validate(closed(route.body), value)
  validate(closed(NOTHING), value)
  return undefined
}

/**
 * Returns a value as parsed by its schema. Throws 400 naming the first invalid member, and listing the
 * others.
 */
export function validate(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value, { error: plainMessage })
  if (parsed.success) return parsed.data
  // One sentence a field: what else is wrong with it mostly follows from the first. A body may have 100,000
  // invalid members.
  const told = new Map<string | undefined, Problem>()
  for (const problem of describeIssues(parsed.error.issues)) {
    if (!told.has(problem.field)) told.set(problem.field, problem)
    if (told.size === MOST_TOLD) break
  }
  const [first] = told.values()
  if (!first) throw new Problem(httpProblems.invalid, { detail: 'The request is invalid.' })
  throw new Problem(httpProblems.invalid, {
    detail: [...told.values()].map(({ detail }) => detail).join(' '),
    ...(first.field === undefined ? {} : { field: first.field }),
  })
}

function* describeIssues(issues: readonly z.core.$ZodIssue[]): Generator<Problem> {
  for (const issue of issues) {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) yield invalid([...path, key].join('.'), 'is not a member of this request')
    } else if (path.length === 0) yield new Problem(httpProblems.invalid, { detail: `The body ${issue.message}.` })
    else yield invalid(path.join('.'), issue.message)
  }
}

/** The problem for an invalid member or parameter. */
export function invalid(field: string, message: string): Problem {
  return new Problem(httpProblems.invalid, { detail: `${field}: ${message}.`, field })
}
