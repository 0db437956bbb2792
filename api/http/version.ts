import { Problem } from '../errors.ts'
import { CURRENT_VERSION, MARKET_VERSIONS, type MarketVersion } from '../versions/versions.ts'
import type { RouteDefinition } from './route.ts'
import type { RequestContext } from './serve.ts'

const HEADER = 'Market-Version'

/** The version a request is in (spec 9): writes must say, reads get the current one. Throws version/… problems. */
export function readVersion(route: RouteDefinition, context: RequestContext): MarketVersion {
  const given = context.req.header(HEADER)
  const version = given === undefined ? defaultVersion(route) : MARKET_VERSIONS.find((known) => known === given)
  if (!version) {
    throw new Problem('version/unknown', {
      detail: `Market-Version is one of ${MARKET_VERSIONS.join(', ')}.`,
      field: HEADER,
    })
  }
  context.set('version', version)
  if (route.versions && !route.versions.includes(version)) {
    throw new Problem('version/route-unavailable', {
      detail: `This call exists in Market-Version ${route.versions.join(', ')}, not in ${version}.`,
      field: HEADER,
    })
  }
  return version
}

function defaultVersion(route: RouteDefinition): MarketVersion {
  if (route.method === 'get') return CURRENT_VERSION
  throw new Problem('version/required', {
    detail: `Send the header Market-Version: ${CURRENT_VERSION} with every write.`,
    field: HEADER,
  })
}
