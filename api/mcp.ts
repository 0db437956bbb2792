import type { HttpBindings } from '@hono/node-server'
import { answerMcp } from '../mcp/http.ts'
import { Problem, unauthenticated } from './errors.ts'
import { authenticate, requireOwnOrigin } from './identity/authentication/authenticate.ts'
import type { Mounted } from './platform/http/listen/mount.ts'
import { defineRoute } from './platform/http/route/route.ts'
import { acceptsType } from './platform/http/serve/accept.ts'
import { readInflated, requireJson } from './platform/http/serve/body.ts'
import { parseJson } from './platform/http/serve/json.ts'
import { httpProblems } from './platform/http/serve/problems.ts'
import type { RequestContext, Services } from './platform/http/serve/services.ts'

// The request itself changes nothing: the calls of its tools need their own scopes, and count as reads or
// writes themselves.
const mcpRoute = defineRoute({
  operationId: 'mcp',
  method: 'post',
  path: '/mcp',
  summary: 'The tools of an agent',
  access: { scope: 'none', as: 'any' },
  isCountedAsRead: true,
  answers: {},
})

const ANSWER_TYPES = ['application/json', 'text/event-stream']

/**
 * Serves the tools of an agent (Model Context Protocol). The token is authenticated, and the request counted
 * for its account, before the body is read. The tools are calls of this process's own API, so they need no
 * address of the service.
 */
export function mcpPage(services: Services): Mounted {
  return {
    method: mcpRoute.method,
    path: mcpRoute.path,
    respond: async (context) => {
      context.set('operationId', mcpRoute.operationId)
      // The tools call the API with the token, so a session is not enough. A page of another site without a
      // token is refused first (MCP, transports: DNS rebinding).
      if (context.req.header('authorization') === undefined) {
        const origin = context.req.header('origin')
        if (origin !== undefined) requireOwnOrigin(services.settings.web, origin)
        throw unauthenticated()
      }
      await authenticate(services, mcpRoute, context)
      const hasOutputSchemas = context.req.query('output_schemas') === 'true'
      const answer = await answerMcp(await readRequest(context), { baseUrl: ownAddress(context), hasOutputSchemas })
      // Adds the headers that every answer has.
      return context.newResponse(answer.body, answer)
    },
  }
}

/**
 * Reads one request of JSON-RPC. Throws 400 for a batch, and 406 for a caller that cannot take both forms of
 * the answer.
 */
async function readRequest(context: RequestContext) {
  const accept = context.req.header('accept')
  if (!ANSWER_TYPES.every((type) => acceptsType(accept, type))) {
    throw new Problem(httpProblems.notAcceptable, {
      detail: `Answers are application/json or text/event-stream: accept both, or leave out the header.`,
      field: 'Accept',
    })
  }
  requireJson(context)
  const body = parseJson(await readInflated(context))
  if (Array.isArray(body)) {
    throw new Problem(httpProblems.malformed, {
      detail: 'This path accepts no batch. Send each JSON-RPC request by itself.',
    })
  }
  const headers = new Headers(context.req.raw.headers)
  // Its library looks for these two words.
  headers.set('accept', ANSWER_TYPES.join(', '))
  // No call of a tool outlives its caller.
  return { url: context.req.url, headers, body, signal: context.req.raw.signal }
}

function ownAddress(context: RequestContext): string {
  const { localAddress = '', localPort, localFamily } = (context.env as HttpBindings).incoming.socket
  const host = localFamily === 'IPv6' ? `[${localAddress}]` : localAddress
  return `http://${host}:${localPort}`
}
