import { Hono, type MiddlewareHandler } from 'hono'
import { Problem } from '../errors.ts'
import { describeFault, isOutage } from '../faults.ts'
import { openAddresses } from './addresses.ts'
import { frameHeaders } from './frameHeaders.ts'
import { limitAddress } from './limits.ts'
import { allowHeader, refuseOtherMethods } from './methods.ts'
import { problemResponse } from './problem.ts'
import { newRequestId } from './requestId.ts'
import type { RequestContext, RequestState, ServedRoute, Services } from './serve.ts'

const MAX_DRAINED_BYTES = 65_536
const BODY_TIMEOUT_MS = 15_000

type Api = Hono<{ Variables: RequestState }>

/** The HTTP application: every served route, and problem+json for whatever is not one. */
export function mount(services: Services, served: readonly ServedRoute[]): Api {
  const api: Api = new Hono()
  api.use(frame(services))
  for (const { route, respond } of served) {
    api.on(route.method.toUpperCase(), routingPath(route.path), (context) => respond(services, context))
  }
  refuseOtherMethods(
    api,
    served.map(({ route }) => ({ path: routingPath(route.path), method: route.method })),
  )
  api.notFound((context) => {
    context.set('problem', 'request/not-found')
    return problemResponse(
      new Problem('request/not-found', {
        detail: 'There is nothing at this path. GET /openapi.json lists what there is.',
      }),
      context.get('requestId'),
    )
  })
  api.onError((error, context) => {
    const problem = toProblem(error)
    context.set('problem', problem.problem)
    if (problem !== error)
      services.log.error({ requestId: context.get('requestId'), fault: describeFault(error) }, 'request failed')
    return problemResponse(problem, context.get('requestId'), {
      ...allowHeader(error),
      ...closing(context.req.raw),
    })
  })
  return api
}

/** Around every request: its id, the headers every answer has, and its line in the log. */
function frame(services: Services): MiddlewareHandler<{ Variables: RequestState }> {
  const { log, settings, trustedProxies } = services
  const addresses = openAddresses(settings.secretKey, trustedProxies)
  return async (context, next) => {
    const startedMs = performance.now()
    const requestId = newRequestId()
    context.set('requestId', requestId)
    context.set('addressSubject', () => addresses.subjectOf(context))
    context.set('bodyTimeoutMs', services.bodyTimeoutMs ?? BODY_TIMEOUT_MS)
    await next()
    if (!context.get('standing')) await countStranger(services, context)
    if (!context.get('isFramed')) addFrameHeaders(context)
    const { status } = context.res
    // Neither paths nor queries: they may hold what is none of the log's business.
    log.info(
      {
        requestId,
        method: context.req.method,
        operationId: context.get('operationId'),
        status,
        problem: context.get('problem'),
        durationMs: Math.round(performance.now() - startedMs),
      },
      'request',
    )
  }
}

// Problems, files and pages are made without.
function addFrameHeaders(context: RequestContext): void {
  const { headers } = context.res
  for (const [name, value] of Object.entries(frameHeaders(context))) if (!headers.has(name)) headers.set(name, value)
}

// No account was found to answer for it, and no public route: whoever sends many of those is stopped by address.
async function countStranger(services: Services, context: RequestContext): Promise<void> {
  try {
    await limitAddress(services, context)
  } catch (error) {
    const problem = toProblem(error)
    context.set('problem', problem.problem)
    context.res = problemResponse(problem, context.get('requestId'))
  }
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
