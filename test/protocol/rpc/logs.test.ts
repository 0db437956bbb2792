import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { createPublicClient, http, numberToHex, type PublicClient, zeroAddress } from 'viem'
import { readLogs } from '../../../protocol/rpc/logs.ts'

const WIDEST = 300n

/** What a node is asked: one range. */
interface Question {
  id: number
  params: [{ fromBlock: string; toBlock: string }]
}

type Answer = { status?: number; body?: object } | 'cut'

describe('reading logs', () => {
  let client: PublicClient
  let questions: Question[]
  let answer: (question: Question) => Answer
  const server = createServer(async (request, response) => {
    const question = (await json(request)) as Question
    questions.push(question)
    const given = answer(question)
    if (given === 'cut') return request.socket.destroy()
    const body = JSON.stringify({ jsonrpc: '2.0', id: question.id, ...given.body })
    return response.writeHead(given.status ?? 200, { 'content-type': 'application/json' }).end(body)
  })

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  })
  beforeEach(() => {
    questions = []
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  const read = () => readLogs(client, { address: zeroAddress, topics: [], fromBlock: 1n, toBlock: 2_000n })
  const rangeOf = ({ params: [{ fromBlock, toBlock }] }: Question) => [BigInt(fromBlock), BigInt(toBlock)] as const
  /** One log in every hundredth block. */
  const logsIn = (from: bigint, to: bigint) => {
    const found: object[] = []
    for (let block = from; block <= to; block++) {
      if (block % 100n === 0n) found.push({ blockNumber: numberToHex(block), logIndex: '0x0', transactionIndex: '0x0' })
    }
    return found
  }

  for (const [name, status] of [
    ['an error', 200],
    ['a bad request', 400],
    ['a body too large', 413],
  ] as const) {
    test(`goes on in halves where a range is refused with ${name}, and leaves nothing out`, async () => {
      answer = (question) => {
        const [from, to] = rangeOf(question)
        if (to - from < WIDEST) return { body: { result: logsIn(from, to) } }
        return { status, body: { error: { code: -32005, message: 'query returned too much' } } }
      }
      const blocks = (await read()).map(({ blockNumber }) => blockNumber)
      expect(blocks).to.deep.equal(Array.from({ length: 20 }, (_, index) => BigInt(index + 1) * 100n))
    })
  }

  const away: [string, Answer][] = [
    ['cuts the connection', 'cut'],
    ['is asked too often', { status: 429, body: {} }],
    ['fails', { status: 500, body: {} }],
    ['is being restarted', { status: 503, body: {} }],
  ]
  for (const [name, given] of away) {
    test(`asks once where the node ${name}`, async () => {
      answer = () => given
      const outcome = await read().then(
        () => 'read',
        () => 'failed',
      )
      expect(outcome).to.equal('failed')
      expect(questions).to.have.length(1)
    })
  }
})
