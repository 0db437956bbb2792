import { Hono } from 'hono'
import { Problem } from '../errors.ts'
import { describeFault, isOutage } from '../faults.ts'
import { openAddresses } from './addresses.ts'
import { frameHeaders } from './frameHeaders.ts'
import { limitAddress } from './limits.ts'
import { allowHeader, otherMethods } from './methods.ts'
import { problemResponse } from './problem.ts'
import { newRequestId } from './requestId.ts'
import type { RouteDefinition } from './route.ts'
import { SegmentRouter } from './router.ts'
import type { RequestContext, RequestState, ServedRoute, Services } from './serve.ts'

const MAX_DRAINED_BYTES = 65_536
const BODY_TIMEOUT_MS = 15_000

type Api = Hono<{ Variables: RequestState }>

/** What answers a path. */
export interface Mounted {
  method: RouteDefinition['method']
  path: string
  respond: (context: RequestContext) => Response | Promise<Response>
}

/** The HTTP application: every served route and page, and problem+json for whatever is neither. */
export function mount(services: Services, served: readonly ServedRoute[], pages: readonly Mounted[]): Api {
  const api: Api = new Hono({ router: new SegmentRouter() })
  const framed = frame(services)
  const routes = served.map(({ route: { method, path }, respond }) => ({
    method,
    path: routingPath(path),
    respond: (context: RequestContext) => respond(services, context),
  }))
  const mounted = [...routes, ...pages]
  for (const { method, path, respond } of mounted) api.on(method.toUpperCase(), path, framed(respond))
  for (const { path, respond } of otherMethods(mounted)) api.all(path, framed(respond))
  api.notFound(
    framed(() => {
      throw new Problem('request/not-found', {
        detail: 'There is nothing at this path. GET /openapi.json lists what there is.',
      })
    }),
  )
  return api
}

/** Around what answers a request: its id, problems instead of errors, the headers every answer has, its line in the log. */
function frame(services: Services) {
  const { log, settings, trustedProxies } = services
  const addresses = openAddresses(settings.secretKey, trustedProxies)
  return (respond: Mounted['respond']) =>
    async (context: RequestContext): Promise<Response> => {
      const startedMs = performance.now()
      const requestId = newRequestId()
      context.set('requestId', requestId)
      context.set('addressSubject', () => addresses.subjectOf(context))
      context.set('bodyTimeoutMs', services.bodyTimeoutMs ?? BODY_TIMEOUT_MS)
      const response = await answer(services, context, respond)
      if (!context.get('isFramed')) addFrameHeaders(context, response)
      // Neither paths nor queries: they may hold what is none of the log's business.
      log.info(
        {
          requestId,
          method: context.req.method,
          operationId: context.get('operationId'),
          status: response.status,
          problem: context.get('problem'),
          durationMs: Math.round(performance.now() - startedMs),
        },
        'request',
      )
      return response
    }
}

async function answer(services: Services, context: RequestContext, respond: Mounted['respond']): Promise<Response> {
  const response = await refusing(services, context, () => respond(context))
  if (context.get('standing')) return response
  // No account was found to answer for it, and no public route: whoever sends many of those is stopped by address.
  return refusing(services, context, async () => {
    await limitAddress(services, context)
    return response
  })
}

async function refusing(
  services: Services,
  context: RequestContext,
  respond: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await respond()
  } catch (error) {
    const problem = toProblem(error)
    const requestId = context.get('requestId')
    context.set('problem', problem.problem)
    if (problem !== error) services.log.error({ requestId, fault: describeFault(error) }, 'request failed')
    return problemResponse(problem, requestId, { ...allowHeader(error), ...closing(context.req.raw) })
  }
}

// Problems, files and pages are made without.
function addFrameHeaders(context: RequestContext, { headers }: Response): void {
  for (const [name, value] of Object.entries(frameHeaders(context))) if (!headers.has(name)) headers.set(name, value)
}

// What is still on its way of a body that is refused is not waited for: its sender is told to use another connection.
function closing({ headers }: Request): Record<string, string> {
  const isLarge = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > MAX_DRAINED_BYTES
  return isLarge ? { Connection: 'close' } : {}
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isOutage(error)) {
    return new Problem('service/unavailable', {
      detail:
        'Something the service depends on cannot be reached. A write may or may not have happened: read before you repeat it.',
    })
  }
  return new Problem('service/fault', {
    detail: 'The service failed, and the failure was recorded. Quote the instance when you report it.',
  })
}

function routingPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
