import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  type Abi,
  type AbiEvent,
  createPublicClient,
  custom,
  getAbiItem,
  getAddress,
  type PublicClient,
  pad,
  toEventSelector,
  toHex,
} from 'viem'
import { audit, type Published } from '../../audit/audit.ts'
import type { AuditTarget } from '../../audit/history.ts'
import type { AuditReport } from '../../audit/report.ts'
import { run } from '../../cli/audit.ts'
import { escrowAbi } from '../../protocol/abi/escrow.ts'
import { tokenAbi } from '../../protocol/abi/token.ts'
import { formatAmount, parseAmount } from '../../protocol/amounts.ts'
import type { SignedFeeSchedule } from '../../protocol/fees.ts'
import type { LiabilitiesDocument } from '../../protocol/liabilities.ts'
import type { ReceiptDocument } from '../../protocol/receipt.ts'
import { publicKeyJwk } from '../../protocol/signing.ts'
import { startChain, type TestChain } from '../chain/node.ts'
import { freeAccount, mintUsdc } from '../chain/payments.ts'
import { holdAndRelease, onlyFee, type Records, SIGNING_KEY, signed, tradeAndRecord } from './records.ts'

// Beyond one change of each field there is.
const RUNS = process.env.MARKET_TEST_DEEP ? 2_000 : 10

type Path = readonly (string | number)[]

interface RpcLog {
  transactionHash: string
  logIndex: string
  topics: string[]
  data: string
}

const selector = (abi: Abi, name: string) => toEventSelector(getAbiItem({ abi, name }) as AbiEvent)
const [TRANSFER, RELEASED] = [selector(tokenAbi, 'Transfer'), selector(escrowAbi, 'Released')]
const MOVING: readonly string[] = [
  ...[TRANSFER, RELEASED, selector(tokenAbi, 'AuthorizationUsed')],
  ...[selector(escrowAbi, 'Funded'), selector(escrowAbi, 'Withdrawn')],
]
const CAUSE_WORD = 2

describe('an audit, after something was changed by hand', () => {
  let chain: TestChain
  let client: PublicClient
  let target: AuditTarget
  let records: Records
  let keys: Published['keys']
  let fees: SignedFeeSchedule

  before(async () => {
    chain = await startChain()
    records = await tradeAndRecord(chain)
    keys = [await publicKeyJwk(SIGNING_KEY)]
    fees = await onlyFee(chain)
    client = remembering(chain)
    target = {
      chainId: chain.chainId,
      escrow: chain.escrow,
      hotWallet: chain.accounts.hotWallet.address,
      token: chain.token,
      fromBlock: chain.startBlock,
      toBlock: await chain.client.getBlockNumber(),
    }
  })
  after(() => chain?.stop())

  /** An audit that is given these records and no others. */
  const auditOf = (
    { receipts = [], payouts = [], liabilities, balances = [] }: Partial<Records>,
    by = client,
  ): Promise<AuditReport> =>
    audit(by, target, {
      ...{ fees: { signed: fees }, keys, receipts, payouts },
      ...(liabilities && { liabilities: [liabilities], balances: [{ liabilities, balances }] }),
    })
  /** Whether something was found, and one of these is named by it. */
  const expectNamed = ({ findings, ok }: AuditReport, names: readonly string[], what: string) => {
    expect(ok, what).to.equal(false)
    expect(
      findings.some(({ subject }) => names.includes(subject)),
      `${what}: ${JSON.stringify(findings)}`,
    ).to.equal(true)
  }
  const nameOf = ({ document }: Records['liabilities']) => `liabilities at block ${document.block_number}`

  it('is clean of what is true, and says what it looked at', async () => {
    const report = await auditOf(records)
    expect(report.findings).to.deep.equal([])
    expect(report.notChecked).to.deep.equal([])
    expect([report.receipts, report.payouts, report.liabilities]).to.deep.equal([
      { checked: 5 },
      { checked: 4 },
      { roots: 1, balances: 3 },
    ])
  })

  it('finds any field of any receipt, in both modes, and names the receipt', async () => {
    const { receipts } = records
    await forAnyField(receipts, async (changed, path) => {
      const index = Number(path[0])
      const names = [receipts, changed].map((all) => all[index]?.document.receipt_urn ?? '')
      expectNamed(await auditOf({ receipts: changed.slice(index, index + 1) }), names, path.join('.'))
    })
  })

  it('finds it as well when the service itself signs what is not so', async () => {
    const money: (keyof ReceiptDocument)[] = [
      ...([
        'network',
        'token',
        'recipient',
        'payer',
        'price',
        'refunded',
        'seller_net',
        'market_fee',
        'fee_bps',
      ] as const),
      ...(['deposit_nonce', 'hold_id', 'settlement_ref', 'payee', 'escrow_mode'] as const),
    ]
    const documents = records.receipts.map(({ document }) =>
      Object.fromEntries(money.map((name) => [name, document[name]])),
    )
    await forAnyField(documents, async (changed, path) => {
      const index = Number(path[0])
      const document = { ...records.receipts[index]?.document, ...changed[index] } as ReceiptDocument
      const report = await auditOf({ receipts: [await signed(document)] })
      expectNamed(report, [document.receipt_urn], path.join('.'))
    })
  })

  it('finds any balance, its salt, its place or its path, and names the account', async () => {
    const { balances } = records
    await forAnyField(balances, async (changed, path) => {
      const names = [balances, changed].map((all) => all[Number(path[0])]?.account ?? '')
      expectNamed(await auditOf({ liabilities: records.liabilities, balances: changed }), names, path.join('.'))
    })
  })

  it('finds any part of the signed root, signed again or not', async () => {
    const { liabilities } = records
    const accounts = records.balances.map(({ account }) => account)
    await forAnyField(liabilities, async (changed, path) => {
      const names = [nameOf(liabilities), nameOf(changed)]
      expectNamed(await auditOf({ liabilities: changed }), names, path.join('.'))
    })
    const { created_at: _when, type: _type, ...said } = liabilities.document
    await forAnyField(said, async (changed, path) => {
      const again = await signed({ ...liabilities.document, ...changed } as LiabilitiesDocument)
      const names = [nameOf(again), ...accounts]
      expectNamed(
        await auditOf({ liabilities: again, balances: records.balances }),
        names,
        `signed again: ${path.join('.')}`,
      )
    })
  })

  it('finds a root that leaves somebody out, or owes more than there is, without anybody’s balance', async () => {
    for (const [total, code] of [
      ['56.999999', 'liabilities/understated'],
      ['62.500001', 'liabilities/insolvent'],
    ] as const) {
      const liabilities = await signed({ ...records.liabilities.document, total })
      const { findings } = await auditOf({ liabilities })
      expect(findings.map((finding) => [finding.code, finding.subject])).to.deep.equal([[code, nameOf(liabilities)]])
    }
  })

  it('finds any field of any payout that was told, and names the payout', async () => {
    const told = records.payouts.map(({ payout_urn: _name, ...payout }) => payout)
    await forAnyField(told, async (changed, path) => {
      const payouts = records.payouts.map((payout, at) => ({ ...payout, ...changed[at] }))
      const name = `market:payout:${records.payouts[Number(path[0])]?.payout_urn.body}`
      expectNamed(await auditOf({ payouts }), [name], path.join('.'))
    })
  })

  it('finds whatever a node tells differently of the money: any word of any of its logs', async () => {
    const logs = await moneyLogs(chain, target, records.openDeposits)
    expect(logs).to.have.length(24)
    const words = logs.flatMap((log) => wordsOf(log).map((word) => ({ log, word })))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...words), fc.nat({ max: 23 }), async ({ log, word }, digit) => {
        const by = remembering(chain, (told) => withWord(told, log, word, digit))
        // What is no address, or no event any more, cannot be read at all: that is told as well.
        const report = await auditOf({ payouts: records.payouts, receipts: records.receipts }, by).catch(
          () => undefined,
        )
        expect(report?.ok ?? false, `${log.transactionHash} ${log.logIndex}, word ${word}`).to.equal(false)
      }),
      { numRuns: process.env.MARKET_TEST_DEEP ? words.length * 3 : 60 },
    )
  })

  it('takes what two files have for one, and finds two tellings of one payment, payout or block', async () => {
    const { receipts, payouts, liabilities } = records
    const [receipt, payout] = [receipts[2], payouts[0]]
    if (!receipt || !payout) throw new Error('there are no records')
    const given = (told: Partial<Published>) =>
      audit(client, target, { fees: { signed: fees }, keys, receipts: [], ...told })
    const twice = await given({
      ...{ receipts: [...receipts, ...receipts], payouts: [...payouts, ...payouts] },
      liabilities: [liabilities, liabilities],
    })
    expect(twice.findings).to.deep.equal([])
    const named = async (told: Partial<Published>) =>
      (await given(told)).findings.map(({ code, subject }) => [code, subject])
    const other = await signed({ ...receipt.document, receipt_urn: 'market:receipt:other' })
    expect(await named({ receipts: [receipt, other] })).to.deep.equal([
      ['receipt/payment-reused', 'market:receipt:other'],
    ])
    const others = { ...payout, payout_urn: { prefix: 'payout', body: 'other' } }
    expect(await named({ payouts: [payout, others] })).to.deep.equal([['payout/leg-reused', 'market:payout:other']])
    const another = await signed({ ...liabilities.document, root: 'ab'.repeat(32) })
    expect(await named({ liabilities: [liabilities, another] })).to.deep.equal([
      ['liabilities/contradicted', nameOf(another)],
    ])
  })

  it('finds that a node leaves out how a hold began, or ended, where nothing else was to tell of it', async () => {
    const [buyer, seller] = [freeAccount(2), freeAccount(1)]
    await mintUsdc(chain, buyer.address, 5_000_000n)
    const { hold_id: ended } = await holdAndRelease(chain, buyer, seller, 5_000_000n, 5_000_000n)
    const toBlock = await chain.client.getBlockNumber()
    const without = async (names: readonly string[], until: bigint) => {
      const hidden: readonly string[] = names.map((name) => selector(escrowAbi, name))
      const by = remembering(chain, (log) =>
        hidden.includes(log.topics[0] ?? '') && log.topics[1] === ended ? [] : log,
      )
      const { findings } = await audit(
        by,
        { ...target, toBlock: until },
        { fees: { signed: fees }, keys, receipts: [] },
      )
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

  describe('as a command, without the service', () => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'market-audit-'))
    })
    after(() => rm(folder, { recursive: true, force: true }))

    const save = async (name: string, value: unknown) => {
      const path = join(folder, name)
      await writeFile(path, JSON.stringify(value))
      return path
    }
    const command = async ({ receipts, payouts, liabilities, balances }: Records) => {
      const config = {
        ...{ escrow_contract: target.escrow, hot_wallet: target.hotWallet, token: { address: target.token } },
        ...{ start_block: Number(target.fromBlock), rules: { fee_bps: 500 }, fees, keys: { keys } },
      }
      const args = [
        ...['--rpc-url', chain.rpcUrl, '--config', await save('config.json', config)],
        ...['--receipts', await save('receipts.json', receipts)],
        ...['--payouts', await save('payouts.json', { receipts: payouts, next_cursor: null })],
        ...['--liabilities', await save('liabilities.json', liabilities)],
        ...['--balances', await save('balances.json', { liabilities, balances, next_cursor: null })],
      ]
      return run([...args, '--json'])
    }

    it('says where the last page was not given, and which file is not whole', async ({ mock }) => {
      const { liabilities, balances } = records
      const said: string[] = []
      for (const way of ['log', 'error'] as const) mock.method(console, way, (text: unknown) => said.push(String(text)))
      const told = async (args: string[]) => [await run(args), said.pop()] as const
      const at = ['--rpc-url', chain.rpcUrl, '--escrow', target.escrow, '--hot-wallet', target.hotWallet]
      const where = [...at, '--token', target.token, '--from-block', `${target.fromBlock}`, '--fee-bps', '500']
      const jwks = ['--keys', await save('keys.json', { keys })]
      const page = (name: string, next_cursor: string | null) => save(name, { liabilities, balances, next_cursor })
      const [first, last] = [await page('first.json', 'more'), await page('last.json', null)]
      const cut = 'The last page of the balances was not given'
      const [code, report] = await told([...where, ...jwks, '--balances', first])
      expect([code, report?.includes(cut)]).to.deep.equal([0, true])
      const [, whole] = await told([...where, ...jwks, '--balances', first, '--balances', last])
      expect(whole).to.be.a('string').and.not.include(cut)
      await writeFile(first, JSON.stringify({ liabilities, balances }).slice(0, -9))
      expect(await told([...where, ...jwks, '--balances', first])).to.deep.equal([
        2,
        `${first} is no JSON, or not all of it`,
      ])
    })

    it('exits 0 for what is clean, 1 for what is not, and 2 when it could not look', async () => {
      expect(await command(records)).to.equal(0)
      const [one, ...others] = records.payouts
      if (!one) throw new Error('there is no payout')
      expect(await command({ ...records, payouts: [{ ...one, amount: '19.000001' }, ...others] })).to.equal(1)
      expect(await command({ ...records, payouts: [{ ...one, amount: 'much' }, ...others] })).to.equal(2)
      expect(await run(['--rpc-url', 'http://127.0.0.1:9', '--base-url', 'http://127.0.0.1:9'])).to.equal(2)
    })
  })
})

const answers = new Map<string, Promise<unknown>>()

/** A client that asks the node each question once: the chain stands still. `tell` may change what the node answers, or leave it out. */
function remembering(chain: TestChain, tell: (log: RpcLog) => RpcLog | [] = (log) => log): PublicClient {
  return createPublicClient({
    transport: custom({
      request: async ({ method, params }) => {
        const question = JSON.stringify([method, params])
        const known = answers.get(question) ?? chain.client.request({ method, params } as never)
        answers.set(question, known)
        const answer = await known
        if (method === 'eth_getLogs') return (answer as RpcLog[]).flatMap(tell)
        if (method !== 'eth_getTransactionReceipt') return answer
        const receipt = answer as { logs: RpcLog[] }
        return { ...receipt, logs: receipt.logs.flatMap(tell) }
      },
    }),
    cacheTime: 0,
  })
}

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

/** The places of what a log says: its topics below zero, then the words of its data. Why a hold was released moves nothing. */
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

/** Changes one field, wherever it is, and another one each time. */
async function forAnyField<Value>(value: Value, check: (changed: Value, path: Path) => Promise<void>): Promise<void> {
  const paths = pathsOf(value)
  const seen = new Set<string>()
  const property = fc.asyncProperty(fc.constantFrom(...paths), fc.nat({ max: 1_000_000 }), async (path, by) => {
    seen.add(path.join('.'))
    await check(withChange(value, path, by) as Value, path)
  })
  await fc.assert(property, { numRuns: RUNS })
  // Chance leaves a few out: those as well.
  for (const path of paths) if (!seen.has(path.join('.'))) await check(withChange(value, path, 0) as Value, path)
}

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...at, name]))
}

function withChange(value: unknown, [name, ...rest]: Path, by: number): unknown {
  if (name === undefined) return another(value, by)
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) }
  const members = copy as Record<string, unknown>
  members[String(name)] = withChange(members[String(name)], rest, by)
  return copy
}

/** Another value of the same kind. */
function another(value: unknown, by: number): unknown {
  if (value === null) return `0x${'ab'.repeat(32)}`
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1 + (by % 2)
  const text = String(value)
  const amountMicros = parseAmount(text)
  if (amountMicros !== undefined) return formatAmount(by % 2 ? amountMicros + 1n + BigInt(by) : amountMicros / 2n || 1n)
  if (/^0x[0-9a-f]{40}$/i.test(text)) return getAddress(flip(text.toLowerCase(), 2 + (by % 40)))
  if (/^(0x)?[0-9a-f]{64}$/.test(text)) return flip(text, text.length - 64 + (by % 64))
  if (text === 'contract') return 'custodied'
  if (text === 'custodied') return 'contract'
  if (text === 'payee') return 'payer'
  if (text === 'payer') return 'payee'
  return `${text.slice(0, -1)}${text.endsWith('7') ? '8' : '7'}`
}

function flip(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === '3' ? '4' : '3'}${text.slice(at + 1)}`
}
