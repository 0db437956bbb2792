import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { createPublicClient, type PublicClient } from 'viem'
import { isOutage } from '../../../api/faults.ts'
import { nodeTransport } from '../../../protocol/rpc/rpc.ts'

const DEADLINE_MS = 300
// A few blocks of a deadline: what takes longer was not ended by it.
const TOO_LONG_MS = 20 * DEADLINE_MS
const DRIP_MS = 20
const TOO_MANY_BYTES = 11_000_000
const packed = gzipSync(Buffer.alloc(TOO_MANY_BYTES, ' '))
const JSON_TYPE = { 'content-type': 'application/json' }

describe('asking a node', { timeout: 60_000 }, () => {
  let client: PublicClient
  let patient: PublicClient
  let url: string
  let asked: number
  let headers: IncomingHttpHeaders
  let drips: NodeJS.Timeout[]
  let answer: (response: ServerResponse, id: number) => void
  const server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { id: number }
    asked++
    headers = request.headers
    answer(response, id)
  })

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    client = createPublicClient({ transport: nodeTransport(url, { retryCount: 0, deadlineMs: DEADLINE_MS }) })
    patient = createPublicClient({ transport: nodeTransport(url, { retryCount: 0 }) })
  })
  beforeEach(() => {
    asked = 0
    drips = []
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  const say = (response: ServerResponse, body: object) => response.writeHead(200, JSON_TYPE).end(JSON.stringify(body))
  const chainId = (id: number | null) => ({ jsonrpc: '2.0', id, result: '0x7a69' })
  /** What comes of a question, or `still waiting` where nothing does. */
  const ask = (of = client) => {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, TOO_LONG_MS, 'still waiting')
    })
    const told = of.getChainId().then(
      (id) => id,
      (error: Error) => error,
    )
    return Promise.race([told, patience]).finally(() => {
      clearTimeout(timer)
      for (const drip of drips) clearInterval(drip)
    })
  }

  test('asks in JSON, and sends the credentials in its address as a header', async () => {
    answer = (response, id) => say(response, chainId(id))
    expect(await ask()).to.equal(31_337)
    expect(headers).to.include({ 'content-type': 'application/json' }).and.not.to.have.property('authorization')
    const known = createPublicClient({
      transport: nodeTransport(url.replace('//', '//market:p%40ss@'), { retryCount: 0 }),
    })
    expect(await ask(known)).to.equal(31_337)
    const authorization = `Basic ${Buffer.from('market:p@ss').toString('base64')}`
    expect(headers).to.include({ 'content-type': 'application/json', authorization })
  })

  const silences: [string, (response: ServerResponse, id: number) => void][] = [
    ['never answers', () => {}],
    ['answers headers and no body', (response) => response.writeHead(200, JSON_TYPE).flushHeaders()],
    ['stops in the middle of the body', (response) => response.writeHead(200, JSON_TYPE).write('{"jsonrpc":"2.0",')],
    [
      'sends a byte now and then, without an end',
      (response) => {
        response.writeHead(200, JSON_TYPE)
        drips.push(setInterval(() => response.write(' '), DRIP_MS))
      },
    ],
    [
      'announces more than it sends',
      (response, id) => {
        const body = JSON.stringify(chainId(id))
        response.writeHead(200, { ...JSON_TYPE, 'content-length': body.length + 1 }).write(body)
      },
    ],
  ]
  for (const [what, keepSilent] of silences) {
    test(`ends at the deadline where the node ${what}, and the next answer counts`, async () => {
      answer = keepSilent
      const error = await ask()
      expect(error).to.be.instanceOf(Error)
      expect(isOutage(error)).to.equal(true)
      expect(String((error as Error).message)).to.contain('took too long')
      answer = (response, id) => say(response, chainId(id))
      expect(await ask()).to.equal(31_337)
    })
  }

  const nonsense: [string, (response: ServerResponse, id: number) => void][] = [
    ['answers another question', (response, id) => say(response, chainId(id + 1))],
    ['answers no question', (response) => say(response, chainId(null))],
    ['refuses another question', (response, id) => say(response, { id: id + 1, error: { code: 3, message: 'no' } })],
    ['answers half a JSON', (response, id) => response.writeHead(200, JSON_TYPE).end(`{"id":${id},"result":"0x7a`)],
    ['answers what is no object', (response) => response.writeHead(200, JSON_TYPE).end('null')],
  ]
  for (const [what, talkNonsense] of nonsense) {
    test(`takes it for an outage where the node ${what}`, async () => {
      answer = talkNonsense
      expect(isOutage(await ask())).to.equal(true)
      expect(asked).to.equal(1)
    })
  }

  test('takes a refusal without an id for one: the node could not read the question', async () => {
    answer = (response) => say(response, { id: null, error: { code: -32_600, message: 'no such thing' } })
    const error = await ask()
    expect(String(error)).to.contain('no such thing')
    expect(isOutage(error)).to.equal(false)
  })

  test('takes the answer however it is spaced and ordered', async () => {
    answer = (response, id) => response.writeHead(200, JSON_TYPE).end(`{ "result": "0x7a69", "id" : ${id} }`)
    expect(await ask()).to.equal(31_337)
  })

  const floods: [string, (response: ServerResponse) => void][] = [
    ['in pieces', (response) => response.writeHead(200, JSON_TYPE).end(' '.repeat(TOO_MANY_BYTES))],
    [
      'compressed to a fraction',
      (response) => {
        const headers = { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': packed.length }
        response.writeHead(200, headers).end(packed)
      },
    ],
  ]
  for (const [how, flood] of floods) {
    test(`reads no more than 10 MiB of an answer that is longer, ${how} [risk endless-answers]`, async () => {
      answer = flood
      expect(String(await ask(patient))).to.contain('exceeded the size limit')
    })
  }

  describe('many questions at once', () => {
    type Said = { id: number }[]
    const COUNT = 7
    let batches: number[]
    let alone: number
    let answerBatch: (ids: number[], response: ServerResponse) => void
    const node = createServer(async (request, response) => {
      const asked = (await json(request)) as { id: number } | { id: number }[]
      if (Array.isArray(asked)) {
        batches.push(asked.length)
        return answerBatch(
          asked.map(({ id }) => id),
          response,
        )
      }
      alone++
      say(response, chainId(asked.id))
    })
    let open: (deadlineMs?: number) => PublicClient

    before(async () => {
      await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
      open = (deadlineMs = TOO_LONG_MS) =>
        createPublicClient({ transport: nodeTransport(url, { retryCount: 0, together: true, deadlineMs }) })
    })
    beforeEach(() => {
      batches = []
      alone = 0
    })
    after(() => {
      node.close()
      node.closeAllConnections()
    })

    // Nothing but its id tells a question here: each answer says whose it is.
    const fair = (ids: number[]) => ids.map((id) => ({ jsonrpc: '2.0', id, result: `0x${id.toString(16)}` }))
    const nonce = (client: PublicClient, index: number) =>
      client.getTransactionCount({ address: `0x${index.toString(16).padStart(40, '0')}` })
    const askAll = (client: PublicClient) =>
      Promise.allSettled(Array.from({ length: COUNT }, (_, index) => nonce(client, index)))
    const valuesOf = (settled: PromiseSettledResult<number>[]) =>
      settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined))

    test('go in one, and each is told its own answer, in whatever order they come', async () => {
      answerBatch = (ids, response) => say(response, fair(ids).reverse())
      const values = valuesOf(await askAll(open()))
      expect(batches).to.deep.equal([COUNT])
      expect(alone).to.equal(0)
      expect(values).to.deep.equal(values.map((_, index) => Number(values[0]) + index))
    })

    test('one that is refused fails by itself', async () => {
      answerBatch = (ids, response) => {
        const error = { code: -32_602, message: 'no such block' }
        say(response, [{ jsonrpc: '2.0', id: ids[0], error }, ...fair(ids.slice(1))])
      }
      const [first, ...others] = await askAll(open())
      expect(String(first?.status === 'rejected' && first.reason)).to.contain('no such block')
      expect(others.every(({ status }) => status === 'fulfilled')).to.equal(true)
      expect(alone).to.equal(0)
    })

    const lies: [string, (said: Said) => unknown][] = [
      ['leaves one out', (said) => said.slice(1)],
      ['answers one twice', ([first, , ...others]) => [first, first, ...others]],
      ['answers one that nobody asked', ([first, ...others]) => [{ ...first, id: -1 }, ...others]],
      ['has one without an id', ([first, ...others]) => [{ ...first, id: null }, ...others]],
      ['tells one in two ways', ([first, ...others]) => [first, ...others, { ...first, result: '0x1' }]],
      ['holds nothing', () => [...Array(COUNT)].map(() => null)],
      ['is one refusal', () => ({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'no batches' } })],
    ]
    for (const [what, twist] of lies) {
      test(`are asked one by one where the answer ${what}, and no batch is tried again for a while [risk broken-batch]`, async () => {
        answerBatch = (ids, response) => say(response, twist(fair(ids)) as object)
        const client = open()
        expect(valuesOf(await askAll(client))).to.deep.equal(Array(COUNT).fill(31_337))
        expect(alone).to.equal(COUNT)
        await askAll(client)
        expect(batches).to.deep.equal([COUNT])
      })
    }

    test('are asked one by one where the answers together are too long, or the status is a refusal', async () => {
      for (const refuse of [
        (_ids: number[], response: ServerResponse) =>
          response.writeHead(200, JSON_TYPE).end(' '.repeat(TOO_MANY_BYTES)),
        (_ids: number[], response: ServerResponse) => response.writeHead(413).end('too much'),
      ]) {
        answerBatch = refuse
        expect(valuesOf(await askAll(open()))).to.deep.equal(Array(COUNT).fill(31_337))
      }
      expect(batches).to.deep.equal([COUNT, COUNT])
    })

    test('all fail, and none is asked alone, where the node is away or has been asked too much', async () => {
      for (const fail of [
        (_ids: number[], response: ServerResponse) => response.writeHead(429).end(),
        (_ids: number[], response: ServerResponse) => response.writeHead(503).end(),
        (_ids: number[], response: ServerResponse) => response.destroy(),
        () => {},
      ]) {
        answerBatch = fail
        const settled = await askAll(open(DEADLINE_MS))
        expect(settled.every((one) => one.status === 'rejected' && isOutage(one.reason))).to.equal(true)
      }
      expect(alone).to.equal(0)
    })
  })
})
