import { z } from 'zod'
import { notFound, Problem } from '../errors.ts'
import { upgradeRequest } from '../versions/adapt.ts'
import type { MarketVersion } from '../versions/versions.ts'
import { bodyMissing, readBody, requireJson, requirePlain } from './body.ts'
import { parseJson, requireStorable } from './json.ts'
import type { RouteDefinition } from './route.ts'
import { closed } from './schemas.ts'
import type { RequestContext } from './serve.ts'

const NOTHING = z.object({})
const NO_BYTES = Buffer.alloc(0)

/**
 * Reads and validates everything a request brings. Throws 400 naming the first field that does not fit, 413 and 415
 * for bodies, and 404 for a path that can name nothing.
 */
export async function readInput(
  route: RouteDefinition,
  version: MarketVersion,
  context: RequestContext,
  params = parseParams(route, context),
) {
  // An id of no possible form names nothing, and is told so like every other id that names nothing.
  if (!params.success) throw notFound('resource')
  // To find that nothing is asked of a call that asks nothing is a good part of a read.
  const isPlain = route.query === undefined && !context.req.url.includes('?')
  const query = isPlain ? {} : validate(closed(route.query ?? NOTHING), readQuery(context))
  const raw = {
    body: route.method === 'get' || route.upload ? NO_BYTES : await readBody(context),
    // Only an upload is read as a stream: to make one of every request costs more than most bodies.
    stream: route.upload ? context.req.raw.body : null,
    header: (name: string) => context.req.header(name),
  }
  if (route.upload) requirePlain(context)
  return {
    params: params.data,
    query,
    body: route.upload ? undefined : readJsonBody(route, version, context, raw.body),
    raw,
  }
}

/** What the path names, if it has the form. */
export function parseParams(route: RouteDefinition, context: RequestContext): z.ZodSafeParseResult<unknown> {
  return (route.params ?? NOTHING).safeParse(context.req.param())
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

function readJsonBody(route: RouteDefinition, version: MarketVersion, context: RequestContext, bytes: Buffer): unknown {
  if (bytes.length === 0) {
    if (route.body) throw bodyMissing()
    return undefined
  }
  requireJson(context)
  const value = upgradeRequest(version, route.operationId, parseJson(bytes))
  if (route.body) return validate(closed(route.body), value)
  validate(closed(NOTHING), value)
  return undefined
}

function validate(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw issue ? describeIssue(issue) : new Problem('request/invalid', { detail: 'The request is invalid.' })
}

function describeIssue(issue: z.core.$ZodIssue): Problem {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const field = [...path, issue.keys[0] ?? ''].join('.')
    return invalid(field, 'is not a member of this request')
  }
  if (path.length === 0) return new Problem('request/invalid', { detail: `The body is invalid: ${issue.message}.` })
  return invalid(path.join('.'), issue.message)
}

function invalid(field: string, message: string): Problem {
  return new Problem('request/invalid', { detail: `${field}: ${message}.`, field })
}
