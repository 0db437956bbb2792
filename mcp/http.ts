import { createMcpHandler } from '@modelcontextprotocol/server'
import { createMarket, type Market } from '../sdk/market.ts'
import { createMarketServer } from './server.ts'

/** A JSON-RPC request with an authenticated caller and a parsed body. */
interface McpRequest {
  url: string
  headers: Headers
  body: unknown
  /** Aborts the calls of the tools. */
  signal: AbortSignal
}

/**
 * Answers one MCP request over HTTP (Streamable HTTP, without sessions). Its tools call the API at `baseUrl`
 * with the caller's own bearer token and have its rights. With a human's token they act as the agent that
 * Market-Agent names.
 */
export async function answerMcp(
  { url, headers, body, signal }: McpRequest,
  { baseUrl, hasOutputSchemas }: { baseUrl: string; hasOutputSchemas: boolean },
): Promise<Response> {
  const token = headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? ''
  const agent = headers.get('market-agent') ?? undefined
  const market = createMarket({ baseUrl, token, ...(agent ? { agent } : {}) })
  const client: Market = { ...market, call: (name, given) => market.call(name, { ...given, signal }) }
  const handler = createMcpHandler(() => createMarketServer({ client, hasOutputSchemas }))
  try {
    return await handler.fetch(new Request(url, { method: 'POST', headers }), { parsedBody: body })
  } finally {
    await handler.close()
  }
}
