import { describe, it } from 'node:test'
import { expect } from 'chai'
import { createPublicClient, custom, padHex, toHex } from 'viem'
import { OtherChain, readHead } from '../../facilitator/chain/head.ts'

const DEPTH = 5

/** A node of chain 7 whose newest block has this number. */
const clientOf = (newest: bigint, chainId = 7) => {
  const request = async ({ method, params }: { method: string; params?: [string] }) => {
    if (method === 'eth_chainId') return toHex(chainId)
    const number = params?.[0] === 'latest' ? toHex(newest) : params?.[0]
    return { number, hash: padHex(number as `0x${string}`, { size: 32 }), timestamp: '0x1', transactions: [] }
  }
  return createPublicClient({ transport: custom({ request }), cacheTime: 0 })
}
const headOf = (newest: bigint, chainId?: number) =>
  readHead({ client: clientOf(newest, chainId), at: { chainId: 7 } as never, confirmations: DEPTH })

describe('the head of the chain, to the facilitator', () => {
  it('is confirmed so deep below the newest block, and never below the first', async () => {
    const confirmed = await Promise.all(
      [4n, 5n, 6n, 100n].map(async (newest) => (await headOf(newest)).confirmed.number),
    )
    expect(confirmed).to.deep.equal([0n, 0n, 1n, 95n])
  })

  it('is none of another chain', async () => {
    expect(await headOf(100n, 8).catch((error: unknown) => error)).to.be.instanceOf(OtherChain)
  })

  it('is the known one while its newest block is the same', async () => {
    const known = await headOf(100n)
    const read = (newest: bigint) =>
      readHead({ client: clientOf(newest), at: { chainId: 7 } as never, confirmations: DEPTH }, known)
    expect(await read(100n)).to.equal(known)
    expect((await read(101n)).confirmed.number).to.equal(96n)
  })
})
