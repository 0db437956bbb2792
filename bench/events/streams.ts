import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Stack } from '../../test/kit/stack/stack.ts'
import type { Account } from './accounts.ts'

const AT_ONCE = 20
const KIB = 1_024
const ORDER = /"order_urn":"([^"]+)"/g

/** Open event streams. */
export interface OpenStreams {
  count: number
  received: readonly { orderUrn: string; atMs: number }[]
  /** What the API's memory grew by with each. */
  bytesEach: number
  close: () => void
}

/** Opens so many streams of each account. */
export async function openStreams(stack: Stack, accounts: readonly Account[], each: number): Promise<OpenStreams> {
  const agent = new Agent({ keepAlive: false })
  const received: { orderUrn: string; atMs: number }[] = []
  const responses: IncomingMessage[] = []
  const take = (text: string) => {
    const atMs = performance.now()
    for (const [, orderUrn = ''] of text.matchAll(ORDER)) received.push({ orderUrn, atMs })
  }
  const open = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
    const [response]: IncomingMessage[] = await once(get(`${stack.baseUrl}/v1/events`, { agent, headers }), 'response')
    if (response?.statusCode !== 200) throw new Error(`a stream was answered ${response?.statusCode}`)
    responses.push(
      response
        .setEncoding('utf8')
        .on('data', take)
        .on('error', () => {}),
    )
  }
  const before = await residentBytes(stack.pid('api'))
  const tokens = accounts.flatMap(({ token }) => Array.from({ length: each }, () => token))
  for (let at = 0; at < tokens.length; at += AT_ONCE) await Promise.all(tokens.slice(at, at + AT_ONCE).map(open))
  const after = await residentBytes(stack.pid('api'))
  return {
    count: responses.length,
    received,
    bytesEach: (after - before) / responses.length,
    close: () => {
      for (const response of responses) response.destroy()
    },
  }
}

/** Resident memory of a process (proc(5)). */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * KIB
}
