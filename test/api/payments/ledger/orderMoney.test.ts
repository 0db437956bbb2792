import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { listOrderMoneyRows } from '../../../../api/payments/ledger/internal/orderMoney.ts'
import { assetKey } from '../../../../api/payments/ledger/post.ts'
import { reverseEvent } from '../../../../api/payments/settlement/internal/reorgReversal.ts'
import type { PageItem } from '../../../../sdk/market.ts'
import { bindWallet } from '../../../../sdk/wallet.ts'
import {
  ownerOf,
  payOutNewest,
  releaseInContract,
  run,
  withdrawInContract,
} from '../../../kit/api/payments/ledger/moneyMarket.ts'
import { openPlanned } from '../../../kit/api/platform/db/plans.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  delivered,
  funded,
  type Mode,
  newTrader,
  type PlacedOrder,
  passTime,
  placed,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

type Item = PageItem<'listOrderMoney'>

const HOSTILE = '=HYPERLINK("https://example.com","19")'

describe('what became of the money of each order', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader

  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
  })

  after(() => market?.stop())

  const list = async (who: Trader, query: Record<string, string> = {}) =>
    (await ownerOf(market, who).call('listOrderMoney', { query })).body
  /**
   * The money of an order as one of its parties reads it: the amounts, where it is, and by which transaction.
   */
  const money = async ({ urn, ...parties }: PlacedOrder, side: 'buyer' | 'seller') => {
    const { client } = parties[side]
    const { orders } = (await client.call('readOrderMoney', { params: { urn } })).body
    expect(orders.map((item) => item.side)).to.deep.equal([side])
    return orders[0] as Item
  }
  const contractOf = async (who: Trader) => (await ownerOf(market, who).call('readBalances', {})).body.contract
  const amountsOf = ({ gross, fee, net, refund }: Item) => [gross, fee, net, refund]
  const accepted = async (mode: Mode, title = 'Verse') => {
    const order = await delivered(market, await placed(buyer, seller, mode, { title }))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    return order
  }

  it('in the contract: held, on its way, to withdraw, withdrawn, each with its transaction', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'contract'))
    const held = await money(order, 'seller')
    expect(held).to.include({ place: 'held', tx_hash: held.payment_tx, wallet: null, ended_at: null })
    expect(amountsOf(held)).to.deep.equal(['20.000000', null, null, null])
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    expect((await money(order, 'seller')).place).to.equal('releasing')
    const release = await releaseInContract(market, order)
    const credited = await money(order, 'seller')
    expect(amountsOf(credited)).to.deep.equal(['20.000000', '1.000000', '19.000000', '0.000000'])
    expect(credited).to.include({ place: 'to_withdraw', tx_hash: release.txHash, wallet: seller.wallet.address })
    expect(await money(order, 'buyer')).to.include({ place: 'none', tx_hash: null })
    const withdrawal = await withdrawInContract(market, seller.wallet.address, 19_000_000n, 11n)
    expect(await money(order, 'seller')).to.include({ place: 'withdrawn', tx_hash: withdrawal.txHash })
    await run(market, (tx) =>
      reverseEvent(tx, market.api.settings, `withdrawn:${seller.wallet.address.toLowerCase()}:${withdrawal.txHash}:0`),
    )
    expect((await money(order, 'seller')).place, 'while the chain has taken the withdrawal back').to.equal(
      'to_withdraw',
    )
    await withdrawInContract(market, seller.wallet.address, 19_000_000n, 12n)
  })

  it('a refund in the contract is the payer’s to withdraw', async () => {
    const order = await accepted('contract')
    await releaseInContract(market, order, { refundMicros: 8_000_000n })
    expect(amountsOf(await money(order, 'buyer'))).to.deep.equal(['20.000000', '0.600000', '11.400000', '8.000000'])
    expect(await money(order, 'buyer')).to.include({ place: 'to_withdraw', wallet: buyer.wallet.address })
    await withdrawInContract(market, buyer.wallet.address, 8_000_000n, 11n)
    await withdrawInContract(market, seller.wallet.address, 11_400_000n, 11n)
  })

  it('a withdrawal took what was credited before it on the chain, in whichever order it was booked', async () => {
    const [first, second] = [await accepted('contract'), await accepted('contract')]
    await releaseInContract(market, first, { block: 20n })
    await releaseInContract(market, second, { block: 40n })
    const { txHash } = await withdrawInContract(market, seller.wallet.address, 19_000_000n, 30n)
    expect(await money(first, 'seller')).to.include({ place: 'withdrawn', tx_hash: txHash })
    expect((await money(second, 'seller')).place).to.equal('to_withdraw')
    expect((await ownerOf(market, seller).call('readBalances', {})).body.contract.claimable).to.equal('19.000000')
    await withdrawInContract(market, seller.wallet.address, 19_000_000n, 50n)
    expect((await money(second, 'seller')).place).to.equal('withdrawn')
  })

  it('a refund to a wallet that paid and is not bound is counted, until another owner binds that wallet', async () => {
    const payer = await newTrader(market, { wallet: 'unbound' })
    const order = await funded(market, await placed(payer, seller, 'contract'))
    const before = await contractOf(payer)
    expect(before).to.deep.equal({ held: '20.000000', claimable: '0.000000', wallets: [] })
    await seller.client.call('cancelOrder', { params: { urn: order.urn }, body: { reason_code: 'cannot_deliver' } })
    await releaseInContract(market, order, { refundMicros: 20_000_000n })
    const { address } = payer.wallet
    const credit = { held: '0.000000', claimable: '20.000000', wallets: [{ address, claimable: '20.000000' }] }
    expect(await contractOf(payer)).to.deep.equal(credit)
    expect((await contractOf(seller)).wallets.map((wallet) => wallet.address)).to.not.include(address)
    const other = await newTrader(market, { wallet: 'unbound' })
    await bindWallet(other.client, payer.wallet)
    expect((await contractOf(payer)).claimable).to.equal('0.000000')
    expect(await contractOf(other)).to.deep.include({ claimable: '20.000000' })
  })

  it('in custody: held, in a payout, paid out, or waiting for a wallet', async () => {
    const order = await funded(market, await placed(buyer, seller, 'custodied'))
    expect((await money(order, 'seller')).place).to.equal('held')
    await seller.client.call('cancelOrder', { params: { urn: order.urn }, body: { reason_code: 'cannot_deliver' } })
    expect(await money(order, 'buyer')).to.include({ place: 'in_payout', wallet: buyer.wallet.address })
    const { txHash } = await payOutNewest(market)
    expect(await money(order, 'buyer')).to.include({ place: 'paid_out', tx_hash: txHash, refund: '20.000000' })
    expect((await money(order, 'seller')).place).to.equal('none')
    const unpaid = await newTrader(market, { wallet: 'unbound' })
    const waiting = await delivered(market, await placed(buyer, unpaid, 'custodied'))
    await buyer.client.call('acceptOrder', { params: { urn: waiting.urn } })
    const blocked = await money(waiting, 'seller')
    expect(blocked).to.include({ place: 'awaiting_wallet', net: '19.000000', wallet: null })
    expect(blocked.payout_urn).to.not.equal(null)
  })

  it('lists each side once, whatever its pages: the open ones first, then the last that ended', async () => {
    const [patron, poet] = [await newTrader(market), await newTrader(market)]
    const own = await newTrader(market, { owner: poet })
    for (const title of ['One', 'Two', 'Three']) {
      const order = await delivered(market, await placed(patron, poet, 'custodied', { title }))
      await passTime(market.api, 1)
      await patron.client.call('acceptOrder', { params: { urn: order.urn } })
    }
    await funded(market, await placed(own, poet, 'contract', { title: 'Inner' }))
    await placed(patron, poet, 'custodied', { title: 'Unpaid' })
    for (const limit of ['1', '2', '3', '50']) {
      const found: Item[] = []
      let cursor: string | null | undefined
      do {
        const page = await list(poet, { limit, ...(cursor ? { cursor } : {}) })
        found.push(...page.orders)
        cursor = page.next_cursor
      } while (cursor)
      expect(
        found.map(({ order_title, side }) => `${order_title} ${side}`),
        limit,
      ).to.deep.equal([...['Inner seller', 'Inner buyer', 'Three seller', 'Two seller', 'One seller']])
    }
    const bought = (await list(poet, { side: 'buyer' })).orders
    expect(bought.map(({ order_title }) => order_title)).to.deep.equal(['Inner'])
    expect((await own.client.call('listOrderMoney', { query: {} })).body.orders).to.have.length(1)
    // A period has what ended in it: its end is the next one's beginning.
    const times = (await list(poet, { side: 'seller' })).orders.flatMap(({ ended_at }) => ended_at ?? [])
    const [, middle = ''] = times
    const titles = async (query: Record<string, string>) =>
      (await list(poet, query)).orders.map(({ order_title }) => order_title)
    expect(await titles({ from: middle })).to.deep.equal(['Three', 'Two'])
    expect(await titles({ to: middle })).to.deep.equal(['One'])
  })

  it('is the same as CSV of a period, with a currency, UTC times, and no title that is a formula', async () => {
    const [patron, poet] = [await newTrader(market), await newTrader(market)]
    const order = await delivered(market, await placed(patron, poet, 'custodied', { title: HOSTILE }))
    await patron.client.call('acceptOrder', { params: { urn: order.urn } })
    await funded(market, await placed(patron, poet, 'custodied', { title: 'Open' }))
    await passTime(market.api, 1)
    const reply = await market.api.send('GET', '/v1/ledger/orders.csv', { token: poet.humanToken })
    expect(reply.headers.get('content-type')).to.equal('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).to.match(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/)
    const [item] = (await list(poet)).orders.filter(({ ended_at }) => ended_at !== null)
    const [head, row, ...rest] = String(reply.body).split('\r\n')
    expect(head).to.equal(
      'ended_at,paid_at,order_urn,order_title,order_state,side,agent_urn,counterparty_urn,counterparty_name,escrow_mode,currency,gross,fee,net,refund,place,wallet,payout_urn,tx_hash,payment_tx,asset',
    )
    expect(row).to.contain(
      `${item?.ended_at},${item?.paid_at},${order.urn},"'=HYPERLINK(""https://example.com"",""19"")",final,`,
    )
    expect(row).to.contain(',Agent,custodied,USDC,20.000000,1.000000,19.000000,0.000000,in_payout,')
    expect(row).to.match(/Z,.*Z,/)
    expect(rest, 'what is open is in no period').to.deep.equal([''])
  })

  it('begins as CSV with a byte order mark for Excel where it is asked for, and without one otherwise', async () => {
    const poet = await newTrader(market)
    const order = await delivered(market, await placed(buyer, poet, 'custodied', { title: 'Übersetzung – 日本語' }))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    await passTime(market.api, 1)
    for (const file of ['orders.csv', 'statement.csv']) {
      const read = async (query: string) => {
        const headers = { authorization: `Bearer ${poet.humanToken}` }
        const reply = await fetch(`${market.api.baseUrl}/v1/ledger/${file}${query}`, { headers })
        return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
      }
      const marked = await read('?bom=true')
      expect(marked.bytes.subarray(0, 3).toString('hex'), file).to.equal('efbbbf')
      expect(marked.bytes.toString(), file).to.include('Übersetzung – 日本語')
      const plain = await read('')
      expect(plain.bytes[0], file).to.be.below(0x80)
      expect((await read('?bom=false')).bytes[0]).to.equal(plain.bytes[0])
      expect((await read('?bom=1')).status).to.equal(400)
    }
  })

  it('a long CSV has every row once', async () => {
    const poet = await newTrader(market)
    const order = await delivered(market, await placed(buyer, poet, 'custodied'))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    await copyOrder(order, 401)
    await passTime(market.api, 1)
    const reply = await market.api.send('GET', '/v1/ledger/orders.csv', { token: poet.humanToken })
    const rows = String(reply.body).split('\r\n').slice(1, -1)
    expect(rows).to.have.length(402)
    expect(new Set(rows.map((row) => row.split(',')[2]))).to.have.property('size', 402)
  })

  it('reads the indexes alone, whatever is behind', async () => {
    const planned = openPlanned(market.api.databaseUrl)
    await sql`vacuum analyze market.orders, market.holds`.execute(market.api.db)
    try {
      const filter = { agentIds: [seller.agentId, buyer.agentId], side: undefined, from: new Date(0), to: new Date() }
      const page = { from: `1700000000000000 ${seller.agentId} seller`, limit: 51 }
      const asset = assetKey(market.api.settings.chain)
      const [plan = ''] = await planned.plansOf((tx) => listOrderMoneyRows(tx, asset, filter, page))
      expect(plan).to.match(/using orders_money_of_seller/)
      expect(plan).to.match(/using orders_money_of_buyer/)
      expect(plan).to.not.match(/Seq Scan on (?!own|cte)/)
    } finally {
      await planned.db.destroy()
    }
  })

  it('is each party’s own: nobody reads another’s', async () => {
    const order = await accepted('custodied')
    const stranger = await newTrader(market)
    const path = `/v1/ledger/orders/${order.urn}`
    for (const token of [stranger.token, stranger.humanToken]) {
      expectProblem(await market.api.send('GET', path, { token }), 404, 'resource/not-found')
    }
    expect((await list(stranger)).orders).to.deep.equal([])
    for (const kind of ['orders', 'orders.csv']) {
      const foreign = `/v1/ledger/${kind}?agent_urn=market:agent:${seller.agentId}`
      expectProblem(await market.api.send('GET', foreign, { token: stranger.humanToken }), 404, 'resource/not-found')
    }
    const unpaid = await placed(buyer, seller, 'custodied')
    const { orders } = (await seller.client.call('readOrderMoney', { params: { urn: unpaid.urn } })).body
    expect(orders).to.deep.equal([])
  })

  /** So many more orders that were paid and ended as this one, with all of their rows' own keys. */
  async function copyOrder({ id }: PlacedOrder, count: number): Promise<void> {
    const { db } = market.api
    const columns = async (table: string, changed: readonly string[]) => {
      const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = ${`market.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
        db,
      )
      return sql.join(
        rows
          .map(({ name }) => name)
          .filter((name) => !changed.includes(name))
          .map((name) => sql.ref(name)),
      )
    }
    const [orders, holds] = [
      await columns('orders', ['id', 'order_key', 'nonce', 'thread_id', 'receipt_id']),
      await columns('holds', ['id', 'order_id', 'payer', 'deposit_nonce']),
    ]
    await sql`
      with made as (
        insert into market.orders (id, order_key, nonce, ${orders})
        select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), ${orders}
        from market.orders, generate_series(1, ${count}) where id = ${id} returning id)
      insert into market.holds (id, order_id, payer, deposit_nonce, ${holds})
      select gen_random_uuid(), made.id, gen_random_uuid(), '', ${holds} from market.holds, made where order_id = ${id}`.execute(
      db,
    )
  }
})
