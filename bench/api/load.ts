import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

// Sends so many requests, so many in flight, and prints how it went. A program of its own: what it costs is
// not the server's. stdin: Loads as JSON, one a line, each begun when the one before is over; stdout: as many
// LoadResults.

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

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await send(JSON.parse(line)))}\n`)
}

async function send({ baseUrl, count, inFlight, requests }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const latenciesMs: number[] = []
  const began = performance.now()
  let turn = 0
  const sendNext = async () => {
    const each = requests[turn++ % requests.length]
    if (!each) throw new Error('nothing to send')
    latenciesMs.push(await sendOne(each, baseUrl, agent))
  }
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (turn < count) await sendNext()
    }),
  )
  agent.destroy()
  return { requests: latenciesMs.length, seconds: (performance.now() - began) / 1000, latenciesMs }
}

async function sendOne(each: Load['requests'][number], baseUrl: string, agent: Agent): Promise<number> {
  const { method, path, headers, body, status } = each
  const sentAt = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request(new URL(path, baseUrl), { method, headers, agent }, async (response) => {
    const answer = await text(response)
    if (response.statusCode === status) resolve(performance.now() - sentAt)
    else reject(new Error(`${method} ${path} was answered ${response.statusCode}: ${answer}`))
  })
    .once('error', reject)
    .end(body)
  return promise
}
