import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Abi, type AbiEvent, createPublicClient, custom, getAbiItem, pad, toEventSelector, toHex } from 'viem'
import { audit } from '../../audit/audit.ts'
import type { AuditTarget } from '../../audit/history.ts'
import type { Published } from '../../audit/published.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import type { SignedFeeSchedule } from '../../protocol/payments/fees.ts'
import { type Audited, type RpcLog, startAudited } from '../kit/audit/audited.ts'
import { holdAndRelease, type Records } from '../kit/audit/records.ts'
import type { TestChain } from '../kit/chain/node.ts'
import { freeAccount, mintUsdc } from '../kit/chain/payments.ts'
import { flip } from '../kit/members.ts'

const selector = (abi: Abi, name: string) => toEventSelector(getAbiItem({ abi, name }) as AbiEvent)
const [TRANSFER, RELEASED] = [selector(tokenAbi, 'Transfer'), selector(escrowAbi, 'Released')]
const MOVING: readonly string[] = [
  ...[TRANSFER, RELEASED, selector(tokenAbi, 'AuthorizationUsed')],
  ...[selector(escrowAbi, 'Funded'), selector(escrowAbi, 'Withdrawn')],
]
const CAUSE_WORD = 2

describe('an audit, given a node that lies [risk API10]', () => {
  let audited: Audited
  let chain: TestChain
  let target: AuditTarget
  let records: Records
  let keys: Published['keys']
  let fees: SignedFeeSchedule

  before(async () => {
    audited = await startAudited()
    ;({ chain, target, records, keys, fees } = audited)
  })

  after(() => audited?.stop())

  const published = () => ({ fees: { signed: fees }, keys })

  it('finds whatever a node tells differently of the money: any word of any of its logs', async () => {
    const logs = await moneyLogs(chain, target, records.openDeposits)
    expect(logs).to.have.length(24)
    const words = logs.flatMap((log) => wordsOf(log).map((word) => ({ log, word })))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...words), fc.nat({ max: 23 }), async ({ log, word }, digit) => {
        const by = audited.telling((told) => withWord(told, log, word, digit))
        // What is no address, or no event any more, cannot be read at all: that is told as well.
        const report = await audit(by, target, {
          ...published(),
          receipts: records.receipts,
          payouts: records.payouts,
        }).catch(() => undefined)
        expect(report?.ok ?? false, `${log.transactionHash} ${log.logIndex}, word ${word}`).to.equal(false)
      }),
      { numRuns: process.env.MARKET_TEST_DEEP ? words.length * 3 : 60 },
    )
  })

  it('finds that a node leaves out how a hold began, or ended, where nothing else was to tell of it', async () => {
    const [buyer, seller] = [freeAccount(2), freeAccount(1)]
    await mintUsdc(chain, buyer.address, 5_000_000n)
    const { hold_id: ended } = await holdAndRelease(chain, buyer, seller, 5_000_000n, 5_000_000n)
    const toBlock = await chain.client.getBlockNumber()
    const without = async (names: readonly string[], until: bigint) => {
      const hidden: readonly string[] = names.map((name) => selector(escrowAbi, name))
      const by = audited.telling((log) => (hidden.includes(log.topics[0] ?? '') && log.topics[1] === ended ? [] : log))
      const { findings } = await audit(by, { ...target, toBlock: until }, { ...published(), receipts: [] })
      return findings.map(({ code, subject }) => [code, subject])
    }
    expect(await without([], toBlock)).to.deep.equal([])
    expect(await without(['Released'], toBlock)).to.deep.equal([['hold/state-differs', ended]])
    expect(await without(['Funded', 'Released'], toBlock)).to.deep.equal([['escrow/owed-differs', chain.escrow]])
    expect(await without(['Funded'], toBlock - 1n)).to.deep.equal([['escrow/owed-differs', chain.escrow]])
  })

  it('says nothing of a chain that went back while it looked', async () => {
    let blocks = 0
    const by = createPublicClient({
      transport: custom({
        request: async (question) => {
          const answer = await chain.client.request(question as never)
          const isBlock = question.method === 'eth_getBlockByNumber'
          return isBlock && ++blocks > 1 ? { ...(answer as object), hash: `0x${'ab'.repeat(32)}` } : answer
        },
      }),
    })
    const looked = audit(by, target, { fees: { feeBps: 500 }, keys, receipts: [] })
    expect(await looked.catch((error) => String(error))).to.include('the chain went back')
  })
})

/** The logs by which money moved, but for deposits that are open: nothing else tells of those. */
async function moneyLogs(
  { client }: TestChain,
  { escrow, hotWallet, token, fromBlock }: AuditTarget,
  open: readonly string[],
): Promise<RpcLog[]> {
  const query = { address: [escrow, token], fromBlock: toHex(fromBlock), toBlock: 'latest' }
  const logs = (await client.request({ method: 'eth_getLogs', params: [query] } as never)) as RpcLog[]
  const moving = logs.filter(({ topics }) => MOVING.includes(topics[0] ?? ''))
  const ours = [escrow, hotWallet].map((address) => pad(address).toLowerCase())
  const isOurs = ({ topics }: RpcLog) =>
    topics[0] !== TRANSFER || topics.slice(1).some((topic) => ours.includes(topic.toLowerCase()))
  return moving.filter((log) => !open.includes(log.transactionHash) && isOurs(log))
}

/**
 * The places of what a log says: its topics below zero, then the words of its data. Why a hold was released
 * moves nothing.
 */
function wordsOf({ topics, data }: RpcLog): number[] {
  const inTopics = topics.slice(1).map((_, index) => -1 - index)
  const inData = Array.from({ length: (data.length - 2) / 64 }, (_, index) => index)
  return [...inTopics, ...inData.filter((index) => !(topics[0] === RELEASED && index === CAUSE_WORD))]
}

/** What is told of one log, changed in a digit of one word; any other as it is. */
function withWord(told: RpcLog, log: RpcLog, word: number, digit: number): RpcLog {
  if (told.transactionHash !== log.transactionHash || told.logIndex !== log.logIndex) return told
  if (word >= 0) return { ...told, data: flip(told.data, 2 + word * 64 + 63 - digit) }
  return { ...told, topics: told.topics.map((topic, index) => (index === -word ? flip(topic, 65 - digit) : topic)) }
}
