import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, createPublicClient, custom, type Hex, pad, padHex, toEventSelector, toHex } from 'viem'
import { escrowEvents } from '../../../protocol/generated/escrowEvents.ts'
import { loggedPlaces } from '../../../protocol/rpc/indexedLogs.ts'
import { TRANSFER } from '../../../protocol/rpc/topics.ts'

const account = (seed: number): Address => padHex(toHex(seed), { size: 20 })
const [escrow, token, hotWallet, other] = [account(1), account(2), account(3), account(4)]
const [from, to] = [10n, 12n]

interface Told {
  address: Address
  topics: Hex[]
  data: Hex
}

/** A node that has these logs in each block, and answers as nodes do: topic by topic. */
const clientOf = (logs: readonly Told[]) => {
  const matches = (topics: Hex[], wanted: (Hex | Hex[] | null)[]) =>
    wanted.every((want, at) => want === null || [want].flat().includes(topics[at] as Hex))
  const request = async ({ params: [query] }: { params: [Record<string, unknown>] }) => {
    const { address, topics, fromBlock, toBlock } = query as never as { address: Address; topics: Hex[] } & Record<
      'fromBlock' | 'toBlock',
      Hex
    >
    expect([BigInt(fromBlock), BigInt(toBlock)]).to.deep.equal([from, to])
    return logs.flatMap((log, index) =>
      log.address === address && matches(log.topics, topics)
        ? [
            {
              ...log,
              blockHash: padHex('0xb'),
              blockNumber: toHex(11),
              logIndex: toHex(index),
              transactionIndex: '0x0',
            },
          ]
        : [],
    )
  }
  return createPublicClient({ transport: custom({ request }) })
}
const seen = async (...logs: readonly Told[]) =>
  [...(await loggedPlaces(clientOf(logs), { escrow, token, hotWallet }, { from, to })).keys()].map((place) =>
    Number(place.split(' ')[1]),
  )
const moved = (from: Address, to: Address, micros: bigint, address = token): Told => ({
  address,
  topics: [TRANSFER, pad(from), pad(to)],
  data: toHex(micros, { size: 32 }),
})

describe('what the index must have', () => {
  it('is each event of the contract that it has a table of, and none that it has not', async () => {
    const logged = escrowEvents.map((event) => ({
      address: escrow,
      topics: [toEventSelector(event)],
      data: '0x' as Hex,
    }))
    const names = (await seen(...logged)).map((at) => escrowEvents[at]?.name)
    expect(names.toSorted()).to.deep.equal([
      ...['Funded', 'Paused', 'Reclaimed', 'Released', 'Rescued', 'ResolverChangeScheduled', 'StrayAnnounced'],
      ...['StrayCancelled', 'StrayReturned', 'Unpaused', 'Withdrawn'],
    ])
    expect(await seen(...logged.map((log) => ({ ...log, address: other })))).to.deep.equal([])
  })

  it('is each transfer of the token into or out of the contract and the hot wallet, but none of nothing', async () => {
    const ours = [escrow, hotWallet].flatMap((account) => [moved(account, other, 1n), moved(other, account, 1n)])
    const within = moved(escrow, hotWallet, 1n)
    expect(await seen(...ours, within)).to.have.members([0, 1, 2, 3, 4])
    expect(await seen(moved(other, account(5), 1n), moved(other, escrow, 1n, other))).to.deep.equal([])
    expect(await seen(moved(other, escrow, 0n), moved(hotWallet, other, 0n))).to.deep.equal([])
  })

  it('has its place by the hash of the block and by the log', async () => {
    const places = await loggedPlaces(clientOf([moved(other, escrow, 1n)]), { escrow, token, hotWallet }, { from, to })
    expect([...places]).to.deep.equal([[`${padHex('0xb')} 0`, 11n]])
  })
})
