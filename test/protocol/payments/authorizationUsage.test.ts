import { beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { createPublicClient, custom, numberToHex, type PublicClient, pad } from 'viem'
import { findUsageLog } from '../../../protocol/payments/authorizationUsage.ts'

const TOKEN = '0x00000000000000000000000000000000000000aa'
const NAME = { from: '0x00000000000000000000000000000000000000bb', nonce: numberToHex(1, { size: 32 }) } as const
const START_BLOCK = 100n
const HEAD = 6_000n
/** Less than a chain goes back by itself. */
const NEW_BLOCKS = 10n

describe('what spent an authorization', () => {
  let client: PublicClient
  let lowest: bigint
  let shown: bigint | undefined
  const node = {
    request: async ({ params }: { params: [{ fromBlock: `0x${string}`; toBlock: `0x${string}` }] }) => {
      const [from, to] = [BigInt(params[0].fromBlock), BigInt(params[0].toBlock)]
      lowest = from < lowest ? from : lowest
      if (shown === undefined || shown < from || shown > to) return []
      return [
        {
          ...{ blockNumber: numberToHex(shown), transactionHash: pad('0x1'), blockHash: pad('0x2') },
          ...{ logIndex: '0x0', transactionIndex: '0x0', topics: [], data: '0x', address: TOKEN },
        },
      ]
    },
  }
  const look = async (toBlock: bigint) => {
    lowest = toBlock
    return (await findUsageLog(client, { token: TOKEN, startBlock: START_BLOCK }, NAME, toBlock))?.blockNumber
  }

  beforeEach(() => {
    client = createPublicClient({ transport: custom(node) })
    shown = undefined
  })

  test('is searched for from START_BLOCK, and whoever finds nothing looks through what is new, and ever more rarely through all', async () => {
    const whole: number[] = []
    for (let looks = 1; looks <= 16; looks++) {
      const toBlock = HEAD + BigInt(looks) * NEW_BLOCKS
      expect(await look(toBlock)).to.equal(undefined)
      if (lowest === START_BLOCK) whole.push(looks)
      else expect(toBlock - lowest < 2n * 300n).to.equal(true)
    }
    expect(whole).to.deep.equal([1, 2, 4, 8, 16])
  })

  test('is found in a new block by a short look, and where it was left out by a whole one', async () => {
    await look(HEAD)
    await look(HEAD)
    shown = HEAD + 1n
    expect(await look(HEAD + NEW_BLOCKS)).to.equal(HEAD + 1n)
    expect(lowest > START_BLOCK).to.equal(true)
    shown = undefined
    await look(HEAD)
    await look(HEAD)
    await look(HEAD)
    shown = START_BLOCK
    expect(await look(HEAD)).to.equal(START_BLOCK)
  })

  test('is looked for everywhere again by a chain that goes back, and by another node', async () => {
    for (let looks = 1; looks <= 2; looks++) await look(HEAD)
    await look(HEAD - 1n)
    expect(lowest).to.equal(START_BLOCK)
    for (let looks = 1; looks <= 2; looks++) await look(HEAD)
    client = createPublicClient({ transport: custom(node) })
    await look(HEAD)
    expect(lowest).to.equal(START_BLOCK)
  })
})
