import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pino from 'pino'
import { createPublicClient, custom, padHex, toHex } from 'viem'
import { type Head, HeadRefused, OtherChain, readHead } from '../../facilitator/chain/head.ts'
import { openWitness } from '../../facilitator/chain/witness.ts'
import type { Witness } from '../../facilitator/context/chain.ts'

const DEPTH = 5
const NOW = 1_800_000_000n
const silent = pino({ level: 'silent' })

interface Chain {
  chainId?: number
  /** How far its newest block is ahead of the database. */
  aheadSeconds?: bigint
  confirmedAheadSeconds?: bigint
  witness?: Witness | undefined
  known?: Head | undefined
  /** The database's time. */
  now?: bigint
}

const hashOf = (number: string | undefined) => padHex(number as `0x${string}`, { size: 32 })

/** A node of chain 7 whose newest block has this number. */
const clientOf = (newest: bigint, { chainId = 7, aheadSeconds = 0n, confirmedAheadSeconds = aheadSeconds }: Chain) => {
  const request = async ({ method, params }: { method: string; params?: [string] }) => {
    if (method === 'eth_chainId') return toHex(chainId)
    const isNewest = params?.[0] === 'latest'
    const number = isNewest ? toHex(newest) : params?.[0]
    const timestamp = toHex(NOW + (isNewest ? aheadSeconds : confirmedAheadSeconds))
    return { number, hash: hashOf(number), timestamp, transactions: [] }
  }
  return createPublicClient({ transport: custom({ request }), cacheTime: 0 })
}
const headOf = (newest: bigint, chain: Chain = {}) => {
  const { witness, known, now = NOW } = chain
  const source = { client: clientOf(newest, chain), at: { chainId: 7 } as never, confirmations: DEPTH, witness }
  return readHead({ ...source, store: { marketTime: async () => now } }, known)
}
const errorOf = (reading: Promise<unknown>) => reading.then(() => undefined).catch((error: unknown) => error)

describe('the head of the chain, to the facilitator', () => {
  it('is confirmed so deep below the newest block, and never below the first', async () => {
    const confirmed = await Promise.all(
      [4n, 5n, 6n, 100n].map(async (newest) => (await headOf(newest)).confirmed.number),
    )
    expect(confirmed).to.deep.equal([0n, 0n, 1n, 95n])
  })

  it('is none of another chain', async () => {
    expect(await errorOf(headOf(100n, { chainId: 8 }))).to.be.instanceOf(OtherChain)
  })

  it('keeps its blocks and follows the database’s time while no block comes', async () => {
    const known = await headOf(100n)
    expect(await headOf(100n, { known })).to.deep.equal(known)
    const standing = await headOf(100n, { known, now: NOW + 901n })
    expect(standing).to.deep.equal({ ...known, laterTime: NOW + 901n, isBehind: true })
    expect((await headOf(101n, { known })).confirmed.number).to.equal(96n)
  })

  it('is refused when one of its blocks is more than two minutes ahead of the database', async () => {
    expect(await errorOf(headOf(100n, { aheadSeconds: 120n }))).to.equal(undefined)
    expect(await errorOf(headOf(100n, { aheadSeconds: 121n }))).to.be.instanceOf(HeadRefused)
    const confirmedAhead = { aheadSeconds: 0n, confirmedAheadSeconds: 121n }
    expect(await errorOf(headOf(100n, confirmedAhead))).to.be.instanceOf(HeadRefused)
  })

  it('has durations begin at the later clock and end at the earlier one, and none begin at an old block', async () => {
    const times = async (aheadSeconds: bigint, confirmedAheadSeconds: bigint) => {
      const { laterTime, earlierTime, isBehind } = await headOf(100n, { aheadSeconds, confirmedAheadSeconds })
      return [laterTime - NOW, earlierTime - NOW, isBehind]
    }
    expect(await times(10n, 5n)).to.deep.equal([10n, 0n, false])
    expect(await times(10n, -20n)).to.deep.equal([10n, -20n, false])
    expect(await times(-900n, -950n)).to.deep.equal([0n, -950n, false])
    expect(await times(-901n, -950n)).to.deep.equal([0n, -950n, true])
  })
})

describe('a second node that vouches for the time of a head', () => {
  let url: string
  /** The times that the node has for blocks, by their hashes. */
  let times: Map<string, bigint>
  let isDown = false
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request))
    if (isDown) return void request.socket.destroy()
    const answer = ({ id, params }: { id: number; params: [string] }) => {
      const timestamp = times.get(params[0])
      const result =
        timestamp === undefined
          ? null
          : { hash: params[0], number: '0x1', timestamp: toHex(timestamp), transactions: [] }
      return { jsonrpc: '2.0', id, result }
    }
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
  })

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  const [newest, confirmed] = [hashOf(toHex(100n)), hashOf(toHex(95n))]
  const vouched = async (known: [string, bigint][], down = false) => {
    times = new Map(known)
    isDown = down
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => lines.push(line) })
    return { error: await errorOf(headOf(100n, { witness: openWitness(url, log) })), said: lines.join('') }
  }

  it('has the head refused when it has another time for one of its blocks', async () => {
    expect(
      (
        await vouched([
          [newest, NOW],
          [confirmed, NOW],
        ])
      ).error,
    ).to.equal(undefined)
    for (const [first, second] of [
      [NOW - 1n, NOW],
      [NOW, NOW - 1n],
    ] as const) {
      const { error } = await vouched([
        [newest, first],
        [confirmed, second],
      ])
      expect(error).to.be.instanceOf(HeadRefused)
    }
  })

  it('may lack the newest block', async () => {
    expect(await vouched([[confirmed, NOW]])).to.deep.equal({ error: undefined, said: '' })
  })

  it('does not stop the first node when it is down or far behind, and is reported', async () => {
    for (const { error, said } of [await vouched([], true), await vouched([])]) {
      expect(error).to.equal(undefined)
      expect(said).to.include('RPC_VERIFY_URL does not vouch')
    }
  })

  it('is none where RPC_VERIFY_URL is not set', () => {
    expect(openWitness(undefined, silent)).to.equal(undefined)
  })
})
