import { servedRoutes } from '../../../../../api/app.ts'
import { getOpenApi } from '../../../../../api/platform/http/documentation.ts'
import { openApiDocument } from '../../../../../api/platform/http/openapi.ts'
import { advanceSandboxClock, requestSandboxFunds } from '../../../../../api/sandbox/routes.ts'
import { versionAdapters } from '../../../../../api/versions/adapt.ts'
import { type Operation, operationsOf } from './document.ts'
import { answerFaults, isTaken, parameterFaults } from './judge.ts'

/** The application of an API, as far as a server needs it. */
interface Application {
  fetch: (request: Request, ...rest: never[]) => Response | Promise<Response>
}

const contracts = new Map<boolean, readonly Operation[]>()

/**
 * Compares every answer of a test's API with the OpenAPI document, whichever test asked for it, and every request that
 * was accepted with the parameters that the document allows. Returns the application to serve in its place, the
 * differences found so far, and the operations that have succeeded.
 */
export function hold<App extends Application>(app: App, baseUrl: string, isSandbox: boolean) {
  const operations = contracts.get(isSandbox) ?? readContract(baseUrl, isSandbox)
  contracts.set(isSandbox, operations)
  const faults: string[] = []
  const taken = new Set<string>()
  const fetch: Application['fetch'] = async (request, ...rest) => {
    const response = await app.fetch(request, ...rest)
    const operation = operationAt(operations, request.method, new URL(request.url).pathname)
    if (!operation) return response
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

function readContract(baseUrl: string, isSandbox: boolean): Operation[] {
  const sandboxRoutes = isSandbox ? [advanceSandboxClock, requestSandboxFunds] : []
  return operationsOf(openApiDocument([...servedRoutes, ...sandboxRoutes, getOpenApi], versionAdapters, baseUrl))
}

function operationAt(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  const there = operations.filter((each) => each.method === method && patternOf(each.path).test(path))
  // A path without parameters comes before one with a parameter in the same place.
  return there.find((each) => each.path === path) ?? there[0]
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
