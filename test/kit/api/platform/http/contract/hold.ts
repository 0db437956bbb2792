import { servedRoutes } from '../../../../../../api/app.ts'
import { problems } from '../../../../../../api/modules.ts'
import { getOpenApi } from '../../../../../../api/platform/http/openapi/documentation.ts'
import { openApiDocument } from '../../../../../../api/platform/http/openapi/openapi.ts'
import type { RouteDefinition } from '../../../../../../api/platform/http/route/route.ts'
import {
  advanceSandboxClock,
  createSandboxHuman,
  readSandboxClock,
  requestSandboxFunds,
} from '../../../../../../api/sandbox/routes.ts'
import { versionAdapters } from '../../../../../../api/versions/adapt.ts'
import { type Operation, operationsOf } from './document.ts'
import { answerFaults, isTaken, parameterFaults } from './judge.ts'

/** The application of an API, as far as a server needs it. */
interface Application {
  fetch: (request: Request, ...rest: never[]) => Response | Promise<Response>
}

/** The routes of every API, and those of a sandbox. */
const ROUTES: readonly RouteDefinition[] = [...servedRoutes, getOpenApi]
const SANDBOX_ROUTES: readonly RouteDefinition[] = [
  ...ROUTES,
  advanceSandboxClock,
  createSandboxHuman,
  readSandboxClock,
  requestSandboxFunds,
]

const PATTERNS = new Map(SANDBOX_ROUTES.map((route) => [route, patternOf(route.path)]))

// Each is read when it is first called: a file of tests calls few of them.
const contracts = new Map<RouteDefinition, Operation>()

/**
 * Compares every answer of a test's API with the OpenAPI document, whichever test asked for it, and every
 * request that was accepted with the parameters that the document allows. Returns the application to serve in
 * its place, the differences found so far, and the operations that have succeeded.
 */
export function hold<App extends Application>(app: App, baseUrl: string, isSandbox: boolean) {
  const routes = isSandbox ? SANDBOX_ROUTES : ROUTES
  const faults: string[] = []
  const taken = new Set<string>()
  const fetch: Application['fetch'] = async (request, ...rest) => {
    const response = await app.fetch(request, ...rest)
    const route = routeAt(routes, request.method, new URL(request.url).pathname)
    if (!route) return response
    const operation = contractOf(route, baseUrl)
    const { headers } = response
    // An accepted WebSocket handshake: no Response can have its status.
    const status = response.status === 204 && operation.answers.has(101) ? 101 : response.status
    const isJson = headers.get('content-type')?.includes('json') ?? false
    const text = isJson ? await response.clone().text() : ''
    const version = request.headers.get('market-version') ?? undefined
    const found = answerFaults(operation, { status, headers, body: isJson ? JSON.parse(text) : '' }, version)
    if (isTaken({ status })) {
      taken.add(operation.id)
      found.push(...parameterFaults(operation, request))
    }
    faults.push(...found.map((fault) => `${operation.id}: ${fault}: ${request.url} → ${status} ${text.slice(0, 800)}`))
    return response
  }
  return { app: { fetch: fetch as App['fetch'] }, faults, taken }
}

/** What the OpenAPI document says of a route. */
function contractOf(route: RouteDefinition, baseUrl: string): Operation {
  const known = contracts.get(route)
  if (known) return known
  const [operation] = operationsOf(openApiDocument([route], problems, versionAdapters, baseUrl))
  if (!operation) throw new Error(`the document of ${route.operationId} has no operation`)
  contracts.set(route, operation)
  return operation
}

function routeAt(routes: readonly RouteDefinition[], method: string, path: string): RouteDefinition | undefined {
  const there = routes.filter((route) => route.method === method.toLowerCase() && PATTERNS.get(route)?.test(path))
  // A path without parameters comes before one with a parameter in the same place.
  return there.find((route) => route.path === path) ?? there[0]
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
