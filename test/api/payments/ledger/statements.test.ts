import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Address, PublicClient } from 'viem'
import { assetKey, post, postAll } from '../../../../api/payments/ledger/post.ts'
import type { StatementBody } from '../../../../api/payments/ledger/routes.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import { applyChainEvent } from '../../../../api/payments/settlement/internal/applyChainEvent.ts'
import { reverseEvent } from '../../../../api/payments/settlement/internal/reorgReversal.ts'
import { auditPayees } from '../../../../audit/payees.ts'
import { payoutNonce } from '../../../../protocol/payments/nonces.ts'
import { payoutReceipt } from '../../../../protocol/payments/payoutReceipt.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  deliver,
  delivered,
  funded,
  newTrader,
  passTime,
  placed,
  randomHash,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

const HOSTILE = '=HYPERLINK("https://example.com","19")'

describe('what the ledger tells its owner', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader

  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
  })

  after(() => market?.stop())

  const ownerOf = ({ humanToken }: Trader) => createMarket({ baseUrl: market.api.baseUrl, token: humanToken })
  const run = <Answer>(verb: Parameters<ReturnType<typeof market.api.db.transaction>['execute']>[0]) =>
    market.api.db.transaction().execute(verb) as Promise<Answer>
  const sell = async (title = 'Verse') => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied', { title }))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    return order
  }
  const newest = () =>
    market.api.db.selectFrom('market.payouts').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  /** Sends the newest payout, and tells the market that the chain shows it. */
  const payOut = async () => {
    const { id } = await newest()
    await run((tx) => submitPayout(tx, market.api.settings, id))
    const { nonce, amount_micros: amountMicros, to_address } = await newest()
    const place = { blockNumber: 7n, blockHash: randomHash(), txHash: randomHash(), logIndex: 3 }
    const fact = {
      kind: 'outflow',
      place,
      to: to_address as Address,
      amountMicros,
      nonce: nonce as `0x${string}`,
    } as const
    await run((tx) => applyChainEvent(tx, market.api.settings, fact))
    return fact
  }
  const read = async (who: Trader, query: Record<string, string> = {}) =>
    (await ownerOf(who).call('readStatement', { query })).body
  const balances = async (who: Trader, query: Record<string, string> = {}) =>
    (await ownerOf(who).call('readBalances', { query })).body
  const csv = async (who: Trader, query = '') => {
    const reply = await market.api.send('GET', `/v1/ledger/statement.csv${query}`, { token: who.humanToken })
    expect(reply.headers.get('content-type')).to.equal('text/csv; charset=utf-8')
    return String(reply.body).split('\r\n').slice(0, -1)
  }
  const micros = (amount: string) => BigInt(amount.replace('.', ''))
  const sum = (lines: StatementBody['lines']) => lines.reduce((total, { amount }) => total + micros(amount), 0n)
  const clock = async () => {
    const { rows } = await sql<{ now: Date }>`select market.now() as now`.execute(market.api.db)
    return rows[0]?.now.toISOString() ?? ''
  }
  /** Books so many payments to the seller's owner, each a second after the other. */
  const book = async (count: number, owner = seller) => {
    for (let index = 0; index < count; index++) {
      await passTime(market.api, 1)
      const legs = [
        { kind: 'hot_wallet', owner: { type: 'address', id: `0x${'ab'.repeat(20)}` }, amountMicros: -1n },
        { kind: 'payable', owner: { type: 'human', id: owner.humanId }, amountMicros: 1n },
      ] as const
      const asset = assetKey(market.api.settings.chain)
      await run((tx) => post(tx, { key: randomHash(), kind: 'test', orderId: null, asset, evidence: {}, legs }))
    }
  }

  /** Every page of a statement, with something booked behind the first. */
  const pagesOf = async (query: Record<string, string>) => {
    const first = await read(seller, query)
    const pages = [first]
    if (first.next_cursor) await book(1)
    for (let cursor = first.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor ?? null) {
      pages.push(await read(seller, { ...query, cursor }))
    }
    return pages
  }
  const expectSound = async (pages: StatementBody[]) => {
    const heads = pages.map(({ lines: _lines, next_cursor: _cursor, ...head }) => head)
    for (const head of heads) expect(head).to.deep.equal(heads[0])
    const [{ opening_balance = '', closing_balance = '' } = {}] = heads
    const lines = pages.flatMap((page) => page.lines)
    expect(micros(opening_balance) + sum(lines)).to.equal(micros(closing_balance))
    expect(lines.at(-1)?.balance).to.equal(closing_balance)
  }

  it('is each trade and each payout, in their order, between the balance before and after', async () => {
    const order = await sell()
    await payOut()
    const { lines, ...page } = await read(seller)
    expect(page).to.include({ opening_balance: '0.000000', closing_balance: '0.000000', next_cursor: null })
    expect(lines.map(({ kind, amount, balance, order_title }) => [kind, amount, balance, order_title])).to.deep.equal([
      ['custody_released', '19.000000', '19.000000', 'Verse'],
      ['payout_moved', '-19.000000', '0.000000', 'Verse'],
    ])
    expect(lines[0]?.order_urn?.body).to.equal(order.id)
    expect(lines[1]?.payout_urn?.body).to.equal((await newest()).id)
  })

  it('comes to its closing balance whatever the period, its pages, and what is booked between them', async () => {
    const start = await clock()
    await book(5)
    const middle = await clock()
    await book(5)
    const whole = await read(seller, { from: start })
    expect(whole.lines).to.have.length(10)
    for (const query of [{ from: start }, { from: middle }, { to: middle }, { from: start, to: middle }, {}]) {
      for (const limit of ['1', '3', '100']) await expectSound(await pagesOf({ ...query, limit }))
    }
    // One period's end is the next one's beginning, also for an entry at that instant.
    const at = whole.lines[4]?.at ?? ''
    await market.api.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`update ledger.entries set created_at = ${at}::timestamptz
        where date_trunc('milliseconds', created_at) = ${at}::timestamptz`.execute(tx)
    })
    for (const query of [{ to: at }, { from: at }]) await expectSound(await pagesOf({ ...query, limit: '3' }))
    expect((await read(seller, { from: start, to: at })).lines).to.have.length(4)
    expect((await read(seller, { from: at })).lines[0]?.at).to.equal(at)
    expect((await read(seller, { to: middle })).closing_balance).to.equal(
      (await read(seller, { from: middle })).opening_balance,
    )
  })

  it('a cursor is good for its own statement alone', async () => {
    const { next_cursor } = await read(seller, { limit: '1' })
    const path = `/v1/ledger/statement?limit=1&cursor=${next_cursor}`
    const others = await market.api.send('GET', path, { token: buyer.humanToken })
    expectProblem(others, 400, 'request/invalid', 'cursor')
    const period = await market.api.send('GET', `${path}&to=${await clock()}`, { token: seller.humanToken })
    expectProblem(period, 400, 'request/invalid', 'cursor')
  })

  it('is the same as CSV, in which no title is a formula', async () => {
    await passTime(market.api, 1)
    const from = await clock()
    await sell(HOSTILE)
    await sell('Verse, "free" and blank')
    const to = await clock()
    const { lines, opening_balance, closing_balance } = await read(seller, { from, to })
    const text = (await csv(seller, `?from=${from}&to=${to}`)).join('\r\n')
    expect(text).to.contain(`"'=HYPERLINK(""https://example.com"",""19"")"`)
    expect(text).to.contain(`"Verse, ""free"" and blank"`)
    const rows = text.split('\r\n')
    expect(rows[0]).to.equal('row,at,kind,currency,amount,balance,order_urn,order_title,payout_urn,tx_hash')
    expect(rows[1]).to.equal(`opening,${from},,USDC,,${opening_balance},,,,`)
    expect(rows.at(-1)).to.equal(`closing,${to},,USDC,,${closing_balance},,,,`)
    expect(rows.slice(2, -1).map((row) => row.split(',').slice(0, 6))).to.deep.equal(
      lines.map(({ at, kind, amount, balance }) => ['line', at, kind, 'USDC', amount, balance]),
    )
  })

  it('a long CSV has every line once', async () => {
    const other = await newTrader(market)
    const asset = assetKey(market.api.settings.chain)
    const legs = [
      { kind: 'hot_wallet', owner: { type: 'address', id: `0x${'ab'.repeat(20)}` }, amountMicros: -1n },
      { kind: 'payable', owner: { type: 'human', id: other.humanId }, amountMicros: 1n },
    ] as const
    const long = Array.from({ length: 1_001 }, (_, index) => ({ key: `long:${index}`, kind: 'test', asset, legs }))
    await run((tx) =>
      postAll(
        tx,
        long.map((posting) => ({ ...posting, orderId: null, evidence: {} })),
      ),
    )
    const rows = await csv(other)
    const balance = rows.slice(2, -1).map((row) => row.split(',')[5])
    expect(balance).to.deep.equal(Array.from({ length: 1001 }, (_, index) => `0.${String(index + 1).padStart(6, '0')}`))
    expect(rows.at(-1)?.split(',')[5]).to.equal('0.001001')
  })

  it('balances say where money stands, as it was at any time', async () => {
    const [patron, poet] = [await newTrader(market), await newTrader(market)]
    const stages: { at: string; patron: string; poet: string[] }[] = []
    const note = async (held: string, ...poetHas: string[]) => {
      await passTime(market.api, 1)
      stages.push({ at: await clock(), patron: held, poet: poetHas })
      await passTime(market.api, 1)
    }
    await note('0.000000', '0.000000', '0.000000')
    const order = await funded(market, await placed(patron, poet, 'custodied'))
    await note('20.000000', '0.000000', '0.000000')
    const held = await balances(patron)
    expect(held.custody).to.include({ held: '20.000000', total: '20.000000' })
    await deliver(order)
    await patron.client.call('acceptOrder', { params: { urn: order.urn } })
    await note('0.000000', '19.000000', '0.000000')
    await run(async (tx) => submitPayout(tx, market.api.settings, (await newest()).id))
    await note('0.000000', '0.000000', '19.000000')
    await payOut()
    await note('0.000000', '0.000000', '0.000000')
    for (const {
      at,
      patron: patronHeld,
      poet: [payable, in_transit],
    } of stages) {
      expect((await balances(patron, { at })).custody.held, at).to.equal(patronHeld)
      expect((await balances(poet, { at })).custody, at).to.include({ payable, in_transit })
      expect((await read(poet, { to: at })).closing_balance, at).to.equal(payable)
    }
    expect((await balances(poet)).custody.total).to.equal('0.000000')
  })

  it('balances show what is in the contract beside what is in custody', async () => {
    const [patron, poet] = [await newTrader(market), await newTrader(market)]
    await funded(market, await placed(patron, poet, 'contract'))
    const { custody, contract } = await balances(patron)
    expect(contract).to.deep.equal({ held: '20.000000', claimable: '0.000000', wallets: [] })
    expect(custody.total).to.equal('0.000000')
  })

  it('a receipt of a payout has what anybody needs to find it on chain and to derive its nonce [spec 4:53]', async () => {
    await sell()
    const fact = await payOut()
    const { receipts } = (await seller.client.call('listPayoutReceipts', { query: {} })).body
    const [receipt] = receipts
    if (!receipt) throw new Error('there is no receipt')
    const { txHash, blockHash, logIndex } = fact.place
    expect(receipt).to.include({ amount: '19.000000', leg: 'payee', tx_hash: txHash, block_hash: blockHash })
    expect(receipt).to.include({ block_number: 7, log_index: logIndex })
    const { chain } = market.api.settings
    expect(receipt.to.toLowerCase()).to.equal(seller.wallet.address.toLowerCase())
    expect(receipt.nonce).to.equal(payoutNonce(chain, receipt.deposit, receipt.leg))
    const told = payoutReceipt.parse(receipt)
    const at = { ...chain, hotWallet: chain.hotWallet }
    const domain = new URL(market.api.settings.baseUrl).host
    const block = { timestamp: BigInt(Math.floor(Date.now() / 1000)) }
    const node = { getBlock: async () => block } as unknown as PublicClient
    expect(await auditPayees(node, at, [told], { domain })).to.deep.equal([])
    const human = await ownerOf(seller).call('listPayoutReceipts', { query: { limit: 1 } })
    expect(human.body.receipts[0]?.payout_urn).to.deep.equal(receipt.payout_urn)
    expect((await buyer.client.call('listPayoutReceipts', { query: {} })).body.receipts).to.deep.equal([])
  })

  it('a receipt is of what the chain has: none before it is there, nor while it is taken back', async () => {
    const [patron, poet] = [await newTrader(market), await newTrader(market)]
    const order = await delivered(market, await placed(patron, poet, 'custodied'))
    await patron.client.call('acceptOrder', { params: { urn: order.urn } })
    const receipts = async () => (await poet.client.call('listPayoutReceipts', { query: {} })).body.receipts
    expect(await receipts()).to.deep.equal([])
    const { nonce } = await payOut()
    expect(await receipts()).to.have.length(1)
    await run((tx) => reverseEvent(tx, market.api.settings, `outflow:${nonce}`))
    expect(await receipts()).to.deep.equal([])
  })

  it("is the human's: no agent reads it, and nobody another's", async () => {
    for (const path of ['/v1/ledger/balances', '/v1/ledger/statement', '/v1/ledger/statement.csv']) {
      expectProblem(await market.api.send('GET', path, { token: seller.token }), 403, 'auth/forbidden')
      expectProblem(await market.api.send('GET', path), 401, 'auth/unauthenticated')
    }
    expect((await read(buyer)).lines).to.deep.equal([])
  })
})
