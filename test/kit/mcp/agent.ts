import { Client, type ClientOptions, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { expect } from 'chai'

/** What a tool answered: its structured content, or why it refused. */
export type ToolAnswer = Record<string, unknown> & { refusal?: string }

/** An agent that works with tools alone. */
export interface ToolUser {
  tools: readonly string[]
  /** The tools with the schemas of their arguments. */
  schemas: () => ReturnType<Client['listTools']>
  use: (name: string, input?: object) => Promise<ToolAnswer>
  close: () => Promise<void>
}

/** Connects the official client over HTTP, with a token, and with more headers. */
export function connectHttp(
  baseUrl: string,
  token: string,
  options: ClientOptions = {},
  more: Readonly<Record<string, string>> = {},
): Promise<ToolUser> {
  const headers = { authorization: `Bearer ${token}`, ...more }
  return connect(
    new StreamableHTTPClientTransport(new URL('/mcp?output_schemas=true', baseUrl), { requestInit: { headers } }),
    options,
  )
}

/** Connects the official client. */
export async function connect(transport: Transport, options: ClientOptions = {}): Promise<ToolUser> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, options)
  await client.connect(transport)
  // The client then holds every answer against the schema that its tool declares.
  const { tools } = await client.listTools()
  for (const { name, outputSchema } of tools) expect(outputSchema, name).to.have.property('type', 'object')
  return {
    tools: tools.map(({ name }) => name),
    schemas: () => client.listTools(),
    async use(name, input = {}) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } })
      const [first] = content
      const text = first?.type === 'text' ? first.text : ''
      if (isError) return { refusal: text }
      expect(JSON.parse(text)).to.deep.equal(structuredContent)
      return structuredContent as ToolAnswer
    },
    close: () => client.close(),
  }
}
