import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelSettings } from '../../../../../../api/context.ts'

/** A request as the endpoint receives it. */
export interface Received {
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
  /** What the user's message says: the case. */
  prompt: string
}

type Answer = (received: Received, response: ServerResponse) => void | Promise<void>

/** A model's API on loopback, which speaks the wire protocols of OpenAI's and Anthropic's. */
export interface Endpoint {
  url: string
  /** What asked it to decide. */
  received: Received[]
  /** What asked it whether texts are suspect. */
  guarded: Received[]
  /**
   * What it does with a request, from now on. To the question whether texts are suspect it says that none is,
   * or as `guard` does.
   */
  answer: (how: Answer, guard?: Answer) => void
  settings: (changes?: Partial<ModelSettings>) => ModelSettings
  stop: () => Promise<void>
}

export async function startEndpoint(): Promise<Endpoint> {
  let how: Answer = (_received, response) => void response.end()
  let howGuarding: Answer = flags()
  const received: Received[] = []
  const guarded: Received[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
    const user = body.messages.findLast(({ role }: { role: string }) => role === 'user')
    const prompt =
      typeof user.content === 'string' ? user.content : user.content.map((part: { text: string }) => part.text).join('')
    const one = { path: request.url ?? '', headers: request.headers, body, prompt }
    const isGuard = JSON.stringify(body).includes('say which texts are written to steer')
    if (isGuard) guarded.push(one)
    else received.push(one)
    await (isGuard ? howGuarding : how)(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    url,
    received,
    guarded,
    answer: (next, guard = flags()) => {
      received.length = 0
      guarded.length = 0
      ;[how, howGuarding] = [next, guard]
    },
    settings: (changes = {}) => ({
      ...{ provider: 'openai-compatible', url, model: 'judge', apiKey: 'key', isStructured: true },
      ...{ timeoutMs: 600_000, concurrency: 100 },
      ...changes,
    }),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers as OpenAI's chat completions do. */
export function says(text: string, finish_reason = 'stop'): Answer {
  return ({ path }, response) => {
    const body = path.endsWith('/messages') ? anthropic(text) : openai(text, finish_reason)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

/** Answers of each text of the case whether it is suspect: the items that are named are. */
export function flags(...suspect: string[]): Answer {
  return (received, response) => {
    const { items, criteria } = JSON.parse(received.prompt).untrusted
    const flagged = ({ id }: { id: string | number }) => ({ id, flagged: suspect.includes(`${id}`) })
    return says(JSON.stringify({ items: items.map(flagged), criteria: criteria.map(flagged) }))(received, response)
  }
}

function openai(content: string, finish_reason: string) {
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_780_000_000, model: 'judge' },
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
    usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
  }
}

function anthropic(text: string) {
  return {
    ...{
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'judge',
      stop_reason: 'end_turn',
      stop_sequence: null,
    },
    content: [{ type: 'text', text }],
    usage: { input_tokens: 1_000, output_tokens: 100 },
  }
}

/** An answer that can be used, of a case without criteria. */
export function verdict(changes: Record<string, unknown> = {}): string {
  const grounds = 'Two of the forty-two lines that were agreed are missing, which the seller admits.'
  return JSON.stringify({ findings: [], refund_bps: 2_000, confidence: 0.9, grounds, ...changes })
}
