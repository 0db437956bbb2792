import { Problem } from '../../../errors.ts'
import type { RouteDefinition } from '../route/route.ts'
import { CURRENT_VERSION, MARKET_VERSIONS, type MarketVersion } from '../route/versions.ts'
import { httpProblems } from './problems.ts'
import type { RequestContext, VersionAdapters } from './services.ts'

const HEADER = 'Market-Version'

/** Returns the version that a request names, or undefined if it names none that exists. */
export function namedVersion(context: RequestContext): MarketVersion | undefined {
  const given = context.req.header(HEADER)
  return MARKET_VERSIONS.find((known) => known === given)
}

/**
 * Returns the version of a request (spec 9): a write must name it, a read without it uses the current one.
 * Sets the headers of the answer that name it. Throws version/… problems.
 */
export function readVersion(versions: VersionAdapters, route: RouteDefinition, context: RequestContext): MarketVersion {
  const version = versionOf(route, context)
  if (!version) {
    throw new Problem(httpProblems.unknown, {
      detail: `Market-Version is one of ${MARKET_VERSIONS.join(', ')}.`,
      field: HEADER,
    })
  }
  for (const [name, value] of Object.entries(versions.versionHeaders(version))) context.header(name, value)
  if (route.versions && !route.versions.includes(version)) {
    throw new Problem(httpProblems.routeUnavailable, {
      detail: `This call exists in Market-Version ${route.versions.join(', ')}, not in ${version}.`,
      field: HEADER,
    })
  }
  return version
}

function versionOf(route: RouteDefinition, context: RequestContext): MarketVersion | undefined {
  if (route.isWorkspace) return CURRENT_VERSION
  return context.req.header(HEADER) === undefined ? defaultVersion(route) : namedVersion(context)
}

function defaultVersion(route: RouteDefinition): MarketVersion {
  if (route.method === 'get') return CURRENT_VERSION
  throw new Problem(httpProblems.required, {
    detail: `Send the header Market-Version: ${CURRENT_VERSION} with every write.`,
    field: HEADER,
  })
}
