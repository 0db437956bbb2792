import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, type Hex, hexToBytes, keccak256, padHex, toHex } from 'viem'
import { eachOnce, type RawLog, readBlockLogs } from '../../../protocol/rpc/blockLogs.ts'

const HASH = padHex('0xb')
const TRANSACTIONS = [padHex('0x71'), padHex('0x72')]
const log = (index: number, topic = index): RawLog => ({
  address: padHex(toHex(index + 1), { size: 20 }) as Address,
  topics: [padHex(toHex(topic + 1))],
  blockHash: HASH,
  logIndex: toHex(index),
})
const LOGS = [log(0), log(1), log(2), log(3)]

/**
 * Says its bits by the yellow paper (4.4.3): the filter is a number, and each bit is one of its powers of
 * two.
 */
function bloomOf(logs: readonly RawLog[]): Hex {
  let bloom = 0n
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = Buffer.from(hexToBytes(keccak256(value)))
    for (const pair of [0, 2, 4]) bloom |= 1n << BigInt(hash.readUInt16BE(pair) % 2_048)
  }
  return toHex(bloom, { size: 256 })
}

interface Node {
  logs?: readonly RawLog[]
  receipts?: readonly RawLog[][]
  hasBlockReceipts?: boolean
  logsBloom?: Hex
}

/** A node, and what it was asked. */
function nodeOf({
  logs = LOGS,
  receipts = [LOGS.slice(0, 2), LOGS.slice(2)],
  hasBlockReceipts = true,
  logsBloom,
}: Node) {
  const asked: string[] = []
  const told = receipts.map((each) => ({ blockHash: HASH, logs: each }))
  const ask = async (method: string, [about]: readonly unknown[]) => {
    asked.push(method)
    if (method === 'eth_getLogs') return logs
    if (method === 'eth_getBlockByHash')
      return { number: '0xb', logsBloom: logsBloom ?? bloomOf(LOGS), transactions: TRANSACTIONS }
    if (method === 'eth_getTransactionReceipt') return told[TRANSACTIONS.indexOf(about as Hex)] ?? null
    if (!hasBlockReceipts) throw new Error('the method does not exist')
    return told
  }
  return { ask, asked }
}

const placesIn = (logs: readonly RawLog[]) => logs.map(({ logIndex }) => Number(logIndex))

describe('the logs of a block', () => {
  it('are those that the node logs, where they fill the bloom filter', async () => {
    const { ask, asked } = nodeOf({})
    const { logs, ...about } = await readBlockLogs(ask, HASH)
    expect(about).to.deep.equal({ number: 11n, isShort: false, isWhole: true })
    expect(logs).to.deep.equal(LOGS)
    expect(asked).to.have.members(['eth_getLogs', 'eth_getBlockByHash'])
  })

  it('come once, whatever the node repeats', async () => {
    const { logs } = await readBlockLogs(nodeOf({ logs: [...LOGS, ...LOGS] }).ask, HASH)
    expect(placesIn(logs)).to.deep.equal([0, 1, 2, 3])
    const elsewhere = { ...log(0), blockHash: padHex('0xc') }
    expect(eachOnce([log(0), elsewhere, log(0), { ...log(0), logIndex: '0x00' as Hex }])).to.deep.equal([
      log(0),
      elsewhere,
    ])
  })

  const left: [string, readonly RawLog[]][] = [
    ['the first', LOGS.slice(1)],
    ['one between', [log(0), log(2), log(3)]],
    ['the last', LOGS.slice(0, 3)],
    ['every second', [log(0), log(2)]],
    ['all', []],
  ]
  for (const [what, logs] of left) {
    it(`come from the receipts where the node leaves out ${what}`, async () => {
      for (const hasBlockReceipts of [true, false]) {
        const read = await readBlockLogs(nodeOf({ logs, hasBlockReceipts }).ask, HASH)
        expect(placesIn(read.logs)).to.deep.equal([0, 1, 2, 3])
        expect([read.isShort, read.isWhole]).to.deep.equal([true, true])
      }
    })

    it(`are known to be short where neither has ${what}`, async () => {
      const read = await readBlockLogs(nodeOf({ logs, receipts: [[...logs], []] }).ask, HASH)
      expect(read.logs).to.deep.equal(logs)
      expect([read.isShort, read.isWhole]).to.deep.equal([false, false])
    })
  }

  it('are believed where a chain leaves its filter empty, and where the block is gone', async () => {
    const { isWhole } = await readBlockLogs(nodeOf({ logsBloom: toHex(0, { size: 256 }) }).ask, HASH)
    expect(isWhole).to.equal(true)
    const gone = async (method: string) => (method === 'eth_getLogs' ? [] : null)
    expect(await readBlockLogs(gone, HASH)).to.deep.equal({
      logs: [],
      number: undefined,
      isShort: false,
      isWhole: true,
    })
  })
})
