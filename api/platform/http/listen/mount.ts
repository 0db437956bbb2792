import { Hono, type MiddlewareHandler } from 'hono'
import { inSpan, inTrace, type OpenSpan } from '../../../../protocol/telemetry/trace.ts'
import type { WebSettings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { describeFault, isOutage } from '../../../faults.ts'
import type { RouteDefinition } from '../route/route.ts'
import { CURRENT_VERSION } from '../route/versions.ts'
import { limitAddress, uncountedHeaders } from '../serve/limits.ts'
import { respondProblem } from '../serve/problem.ts'
import { httpProblems } from '../serve/problems.ts'
import type { ServedRoute } from '../serve/serve.ts'
import type { Answered, ApplicationServices, RequestContext, RequestState } from '../serve/services.ts'
import { namedVersion } from '../serve/version.ts'
import { openAddresses } from './addresses.ts'
import { type ConsoleFiles, serveConsole } from './internal/consoleFiles.ts'
import { allowOrigins } from './internal/crossOrigin.ts'
import { requestIdOf, traceOf } from './internal/requestIds.ts'
import { allowHeader, otherMethods } from './methods.ts'

const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|\[::1\])$/
const LOOPBACK_DOMAIN = 'localhost'

const MAX_DRAINED_BYTES = 65_536
const BODY_TIMEOUT_MS = 15_000

type Api = Hono<{ Variables: RequestState }>

/** A handler of a path. */
export interface Mounted {
  method: RouteDefinition['method'] | 'options'
  path: string
  isWorkspace?: boolean
  respond: (context: RequestContext) => Response | Promise<Response>
}

/**
 * Builds the HTTP application: every served route and page, the console, and problem+json for every other
 * request. Pages of origins that are not configured cannot call the routes of the paths `closed`.
 */
export function mount(
  services: ApplicationServices,
  served: readonly ServedRoute[],
  pages: readonly Mounted[],
  { closed = [], console }: { closed?: readonly string[]; console?: ConsoleFiles | undefined } = {},
): Api {
  const api: Api = new Hono()
  const routes = served.map(({ route: { method, path, isWorkspace = false }, respond }) => ({
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    isWorkspace,
    respond: (context: RequestContext) => respond(services, context),
  }))
  api.use(allowOrigins(services.settings.web.origins, closed))
  api.use('/console/*', redirectToPasskeyHost(services.settings.web))
  if (console) {
    const { filesUrl, rules, sandbox, walletRpcUrl } = services.settings
    // The test wallet of a sandbox sends its transactions from the page.
    const node = sandbox && walletRpcUrl ? [new URL(walletRpcUrl).origin] : []
    const origins = { files: new URL(filesUrl).origin, node }
    serveConsole(api, console, origins, uncountedHeaders(rules))
  }
  api.use(frame(services))
  // Hono runs the first handler that matches, so a fixed segment comes before a parameter in its place, and
  // all methods of one path come before the next path.
  const byPath = Map.groupBy([...routes, ...pages], ({ path }) => path)
  const sorted = [...byPath].sort(([one], [other]) => (specificity(one) < specificity(other) ? -1 : 1))
  for (const [path, mounted] of sorted) {
    if (mounted.some(({ isWorkspace }) => isWorkspace)) api.use(path, markWorkspace)
    const routePath = path.replaceAll(/:(\w+)/g, '{$1}')
    for (const { method, respond } of mounted) {
      api.on(method.toUpperCase(), path, (context) => {
        context.set('routePath', routePath)
        return answer(respond, context)
      })
    }
    api.all(path, otherMethods(mounted))
  }
  api.notFound((context) => respondFailure(services, context, noSuchPath()))
  api.onError((error, context) => respondFailure(services, context, error))
  return api
}

/**
 * Runs a handler. Hono passes thrown values that are not an Error to the server, so they are converted to an
 * Error here.
 */
async function answer(respond: Mounted['respond'], context: RequestContext): Promise<Response> {
  try {
    return await respond(context)
  } catch (error) {
    throw error instanceof Error ? error : new Error(`what was thrown is no Error: ${messageOf(error)}`)
  }
}

// Some libraries throw objects that only look like errors.
function messageOf(thrown: unknown): string {
  const { message } = Object(thrown) as { message?: unknown }
  return typeof message === 'string' ? message : typeof thrown
}

// The workspace has only one version, so its problems have their current names.
const markWorkspace: MiddlewareHandler<{ Variables: RequestState }> = async (context, next) => {
  context.set('isWorkspace', true)
  context.set('version', CURRENT_VERSION)
  await next()
}

/**
 * Wraps every request: sets its id and the common headers, enforces the limit of its address, and logs it.
 */
function frame(services: ApplicationServices): MiddlewareHandler<{ Variables: RequestState }> {
  const { log, settings, trustedProxies } = services
  const addresses = openAddresses(settings.secretKey, trustedProxies)
  return async (context, next) => {
    const startedMs = performance.now()
    const requestId = requestIdOf(context)
    context.set('requestId', requestId)
    context.set('version', namedVersion(context))
    context.set('addressSubject', () => addresses.subjectOf(context))
    context.set('bodyTimeoutMs', services.bodyTimeoutMs ?? BODY_TIMEOUT_MS)
    context.header('X-Request-Id', requestId)
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Vary', 'Market-Version')
    context.header('Cache-Control', 'no-store')
    await inTrace(traceOf(context, requestId), () =>
      inSpan(context.req.method, { kind: 'server', attributes: { 'market.request_id': requestId } }, async (span) => {
        await next()
        if (!context.get('rateLimit')) await countToAddress(services, context)
        const answered = answeredOf(context, performance.now() - startedMs)
        nameSpan(span, answered)
        services.onAnswered?.(answered)
        // Paths and queries are not logged: they may hold secrets and personal data.
        log.info(
          {
            requestId,
            method: context.req.method,
            operationId: context.get('operationId'),
            status: context.res.status,
            problem: context.get('problem'),
            durationMs: Math.round(answered.durationMs),
          },
          'request',
        )
      }),
    )
  }
}

function answeredOf(context: RequestContext, durationMs: number): Answered {
  const route = context.get('routePath')
  const { status } = context.res
  return route === undefined
    ? { method: 'any', route: 'none', status, durationMs }
    : { method: context.req.method, route, status, durationMs }
}

function nameSpan(span: OpenSpan, { method, route, status }: Answered): void {
  span.rename(`${method} ${route}`)
  span.set({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status })
}

/** Counts a request without an account, and replaces its response if its address has sent too many. */
async function countToAddress(services: ApplicationServices, context: RequestContext): Promise<void> {
  try {
    await limitAddress(services, context)
  } catch (error) {
    const refusal = respondFailure(services, context, error)
    // Otherwise Hono would keep the headers of the replaced response.
    context.res = undefined
    context.res = refusal
  }
}

function respondFailure(services: ApplicationServices, context: RequestContext, error: unknown): Response {
  const { log, settings, versions } = services
  const problem = toProblem(error)
  context.set('problem', problem.problem)
  if (problem !== error) {
    // An outage ends by itself, and the metrics show it. Anything else is a fault of ours.
    const alarm = problem.problem === 'service/fault' ? { alarm: true } : {}
    log.error({ ...alarm, requestId: context.get('requestId'), fault: describeFault(error) }, 'request failed')
  }
  const version = context.get('version') ?? CURRENT_VERSION
  const type = versions.problemType(version, problem.problem, settings.baseUrl)
  return respondProblem(context, problem, type, { ...allowHeader(error), ...closing(context.req.raw) })
}

// The rest of a large refused body is not read, so the sender must use another connection.
function closing({ headers }: Request): Record<string, string> {
  const isLarge = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > MAX_DRAINED_BYTES
  return isLarge ? { Connection: 'close' } : {}
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isOutage(error)) {
    return new Problem(httpProblems.unavailable, {
      detail:
        'Something the service depends on cannot be reached. A write may or may not have happened: read before you repeat it.',
    })
  }
  return new Problem(httpProblems.fault, {
    detail: 'The service failed, and the failure was recorded. Quote the instance when you report it.',
  })
}

function noSuchPath(): Problem {
  return new Problem(httpProblems.notFound, {
    detail: 'No operation has this path. GET /openapi.json lists all operations.',
  })
}

/** Returns a sort key for paths: a fixed segment comes before a parameter in its place. */
function specificity(path: string): string {
  return path.replaceAll(/:\w+/g, '\uffff')
}

/**
 * Redirects browsers that ask for a console page at a loopback address to the same page at localhost, if that
 * is the domain of passkeys: browsers refuse passkeys at IP addresses.
 */
function redirectToPasskeyHost({ rpId }: WebSettings): MiddlewareHandler {
  return async (context, next) => {
    const url = new URL(context.req.url)
    if (rpId !== LOOPBACK_DOMAIN || context.req.method !== 'GET' || !LOOPBACK_ADDRESS.test(url.hostname)) return next()
    url.hostname = LOOPBACK_DOMAIN
    return context.redirect(url.href)
  }
}
