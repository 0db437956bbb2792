import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

// Sends so many requests, so many in flight, and prints how it went. A program of its own: what it costs is not the
// server's. stdin: a Load as JSON.

/** What is to be sent, where and how often. */
export interface Load {
  baseUrl: string
  count: number
  inFlight: number
  requests: { method: string; path: string; headers: Record<string, string>; body?: string; status: number }[]
}

/** How it went. */
export interface LoadResult {
  requests: number
  seconds: number
  latenciesMs: number[]
}

const load = JSON.parse(await text(process.stdin)) as Load
const agent = new Agent({ keepAlive: true, maxSockets: load.inFlight })
const latenciesMs: number[] = []
const began = performance.now()
let turn = 0

async function sendOne(): Promise<void> {
  const { method, path, headers, body, status } =
    load.requests[turn++ % load.requests.length] ?? fail('nothing to send')
  const sentAt = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request(new URL(path, load.baseUrl), { method, headers, agent }, async (response) => {
    const answer = await text(response)
    latenciesMs.push(performance.now() - sentAt)
    if (response.statusCode === status) resolve()
    else reject(new Error(`${method} ${path} was answered ${response.statusCode}: ${answer}`))
  })
    .once('error', reject)
    .end(body)
  await promise
}

function fail(why: string): never {
  throw new Error(why)
}

await Promise.all(
  Array.from({ length: load.inFlight }, async () => {
    while (turn < load.count) await sendOne()
  }),
)
agent.destroy()
const result: LoadResult = { requests: latenciesMs.length, seconds: (performance.now() - began) / 1000, latenciesMs }
process.stdout.write(`${JSON.stringify(result)}\n`)
