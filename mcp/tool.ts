import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Market } from '../sdk/market.ts'
import { OfferRefused } from '../sdk/offer.ts'
import { ApiProblem } from '../sdk/problem.ts'
import { outputSchema } from './output.ts'
import type { Purse } from './purse.ts'
import { SpendLimit } from './spending.ts'
import { withTextUrns } from './urns.ts'

/** What tools work with: the caller's account, and the wallet that pays, where the server holds one. */
export interface ToolContext {
  client: Market
  purse?: Purse
  /** Each tool declares the schema of its answer: four times as much to read as the rest. */
  hasOutputSchemas?: boolean
}

/** A tool of an agent. `run` returns what is shown as structured content. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  /** What the API answers where the tool passes that on; as a tool's answer it has URNs as texts. */
  output: z.ZodType
  isReadOnly: boolean
  /** What it does cannot be taken back, or takes the place of something. */
  isDestructive?: boolean
  /** A second call with the same arguments changes nothing, also without a key. */
  isIdempotent?: boolean
  /** Offered only where the server holds a wallet. */
  needsPurse?: boolean
  /** The members of its answer that other parties wrote. The answer names them in `untrusted_text`. */
  untrusted?: readonly string[]
  run: (context: ToolContext, input: z.output<Input>) => Promise<object>
}

/** Returns a tool whose input is typed by its schema. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}

// As the API takes it. The list of tools says the rest once, in the server's instructions.
const idempotencyKey = z
  .string()
  .refine((key) => /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(key), {
    error: 'must be 1 to 255 visible ASCII characters without quotes or backslashes, such as a UUID',
  })
  .optional()

const outputSchemas = new Map<Tool, ReturnType<typeof outputSchema>>()

// Converted once: a server is made for each request over HTTP.
function outputSchemaOf(tool: Tool): ReturnType<typeof outputSchema> {
  const known = outputSchemas.get(tool) ?? outputSchema(tool.output, { isUntrusted: tool.untrusted !== undefined })
  outputSchemas.set(tool, known)
  return known
}

/**
 * Adds a tool to a server. It refuses arguments that it does not know, and takes an idempotency key if it writes. What the
 * service refuses becomes an error that says why, and what to do.
 */
export function registerTool(server: McpServer, context: ToolContext, tool: Tool): void {
  const { name, title, description, isReadOnly, untrusted, run } = tool
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: inputOf(tool),
      ...(context.hasOutputSchemas ? { outputSchema: outputSchemaOf(tool) } : {}),
      annotations: {
        readOnlyHint: isReadOnly,
        destructiveHint: tool.isDestructive ?? false,
        idempotentHint: isReadOnly || (tool.isIdempotent ?? false),
      },
    },
    async ({ idempotency_key: key, ...given }) => {
      const client = typeof key === 'string' ? withKey(context.client, key) : context.client
      try {
        const answered = withTextUrns(await run({ ...context, client }, given)) as Record<string, unknown>
        const answer = untrusted ? { untrusted_text: untrusted, ...answered } : answered
        return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
      } catch (error) {
        return { content: [{ type: 'text', text: explain(error) }], isError: true }
      }
    },
  )
}

function inputOf({ input, isReadOnly }: Tool): z.ZodObject {
  return (isReadOnly ? input : input.extend({ idempotency_key: idempotencyKey })).strict()
}

/** Returns a client whose writes have this key. A key belongs to one operation, so the calls of one tool can share it. */
function withKey(client: Market, idempotencyKey: string): Market {
  return {
    ...client,
    call: (name, given) => client.call(name, { ...given, idempotencyKey }),
  }
}

/** A refusal of a tool's own. Its message is for the agent. */
export class ToolRefusal extends Error {}

function explain(error: unknown): string {
  if (error instanceof ApiProblem) {
    return `${error.message}${error.field === undefined ? '' : ` (field ${error.field})`}`
  }
  if (error instanceof ToolRefusal || error instanceof OfferRefused || error instanceof SpendLimit) return error.message
  // Anything else may hold what is nobody's to read.
  return 'The market could not be asked. Whether something changed is not known: read the order before you repeat it.'
}
