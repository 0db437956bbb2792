import { createMcpHandler } from '@modelcontextprotocol/server'
import { createMarket } from '../sdk/market.ts'
import { createMarketServer } from './server.ts'

const MAX_BODY_BYTES = 1_048_576

/**
 * Answers one MCP request over HTTP (Streamable HTTP, without sessions). Its tools call the API at `baseUrl` with the
 * caller's own bearer token, so they may do what that token may; a human's as the agent that Market-Agent names.
 */
export async function answerMcp(request: Request, baseUrl: string): Promise<Response> {
  const token = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? ''
  const agent = request.headers.get('market-agent') ?? undefined
  const client = createMarket({ baseUrl, token, ...(agent ? { agent } : {}) })
  const handler = createMcpHandler(() => createMarketServer({ client }), {
    maxRequestBodySize: MAX_BODY_BYTES,
  })
  try {
    return await handler.fetch(request)
  } finally {
    await handler.close()
  }
}
