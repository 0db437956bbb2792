import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Market } from '../sdk/market.ts'
import { OfferRefused } from '../sdk/offerRefused.ts'
import { ApiProblem } from '../sdk/problem.ts'
import { outputSchema } from './output.ts'
import type { Purse } from './purse.ts'
import { SpendLimit } from './spending.ts'
import { withTextUrns } from './urns.ts'

/** The context of a tool: the caller's account, and the wallet that pays, if the server holds one. */
export interface ToolContext {
  client: Market
  purse?: Purse
  /** Whether each tool declares the schema of its answer. The schemas are four times as long as the rest. */
  hasOutputSchemas?: boolean
}

/** A tool for an agent. `run` returns the structured content. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  /**
   * The schema of what `run` returns: of the API's answer, if the tool passes that on. The agent gets URNs as
   * texts.
   */
  output: z.ZodType
  isReadOnly: boolean
  /** Whether its effect cannot be undone, or replaces something. */
  isDestructive?: boolean
  /** Whether a second call with the same arguments changes nothing, even without a key. */
  isIdempotent?: boolean
  /** Whether it is offered only if the server holds a wallet. */
  needsPurse?: boolean
  /** The members of its answer that other parties wrote. The answer names them in `untrusted_text`. */
  untrusted?: readonly string[]
  run: (context: ToolContext, input: z.output<Input>) => Promise<object>
}

/** Returns a tool whose input is typed by its schema. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}

// The API has the same rule. The server's instructions explain the key once, for all tools.
const idempotencyKey = z
  .string()
  .refine((key) => /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(key), {
    error: 'must be 1 to 255 visible ASCII characters without quotes or backslashes, such as a UUID',
  })
  .optional()

const outputSchemas = new Map<Tool, ReturnType<typeof outputSchema>>()

// Each schema is converted once, because a server is made for each request over HTTP.
function outputSchemaOf(tool: Tool): ReturnType<typeof outputSchema> {
  const known = outputSchemas.get(tool) ?? outputSchema(tool.output, { isUntrusted: tool.untrusted !== undefined })
  outputSchemas.set(tool, known)
  return known
}

/**
 * Adds a tool to a server. The tool refuses unknown arguments, and takes an idempotency key if it writes. A
 * refusal by the service becomes an error that says why, and what to do.
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

/**
 * Returns a client whose writes have this key. A key belongs to one operation, so the calls of one tool can
 * share it.
 */
function withKey(client: Market, idempotencyKey: string): Market {
  return {
    ...client,
    call: (name, given) => client.call(name, { ...given, idempotencyKey }),
  }
}

/** A refusal by the tool itself. Its message is for the agent. */
export class ToolRefusal extends Error {}

function explain(error: unknown): string {
  if (error instanceof ApiProblem) {
    return `${error.message}${error.field === undefined ? '' : ` (field ${error.field})`}`
  }
  if (error instanceof ToolRefusal || error instanceof OfferRefused || error instanceof SpendLimit) return error.message
  // The message of any other error may contain something that nobody should read.
  return 'The market could not be asked. Whether something changed is not known: read the order before you repeat it.'
}
