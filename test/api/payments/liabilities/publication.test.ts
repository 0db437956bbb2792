import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { assetKey } from '../../../../api/payments/ledger/post.ts'
import { publishLiabilities } from '../../../../api/payments/liabilities/publish.ts'
import type { IndexedServices } from '../../../../api/platform/jobs/services.ts'
import type { SignedLiabilities } from '../../../../protocol/liabilities/liabilities.ts'
import { indexTo } from '../../../kit/api/payments/chain/forgedIndex.ts'
import { type PublishedBooks, startPublishing, trade } from '../../../kit/api/payments/liabilities/books.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { passTime, placed, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('what is owed, as it is published', () => {
  let books: PublishedBooks
  let market: TestMarket
  let services: IndexedServices
  let buyer: Trader
  let seller: Trader

  before(async () => {
    books = await startPublishing()
    ;({ market, services, buyer, seller } = books)
  })

  after(() => books?.stop())

  it('has nothing to show before the first, and waits until the books say what the chain does', async () => {
    expectProblem(await market.api.send('GET', '/v1/liabilities'), 404, 'resource/not-found')
    expectProblem(await market.api.send('GET', '/v1/me/liabilities', { token: buyer.token }), 404, 'resource/not-found')
    await books.pay(await placed(buyer, seller, 'custodied'))
    await books.mine()
    await books.publish()
    expectProblem(await market.api.send('GET', '/v1/liabilities'), 404, 'resource/not-found')
    await books.settleAll()
    await indexTo(books.index, 1n)
    await books.publish()
    expectProblem(await market.api.send('GET', '/v1/liabilities'), 404, 'resource/not-found')
    await books.mine()
    await books.publish()
    expect((await books.newest()).document.total).to.equal('20.000000')
  })

  it('is one signed root for everyone, at a confirmed block, that may be kept', async () => {
    const { document } = await books.newest()
    const { chain } = market
    const head = await chain.client.getBlockNumber()
    const { hash } = await chain.client.getBlock({ blockNumber: BigInt(document.block_number) })
    expect(document).to.include({ block_number: Number(head) - 2, block_hash: hash, network: 'eip155:31337' })
    expect(document.wallets).to.deep.equal([chain.accounts.hotWallet.address])
    const again = await market.api.send('GET', `/v1/liabilities/${document.block_number}`)
    expect(again.body).to.deep.equal(await books.newest())
    expect(again.headers.get('cache-control')).to.equal('public, max-age=3600')
    expectProblem(await market.api.send('GET', '/v1/liabilities/7'), 404, 'resource/not-found')
  })

  describe('tree after tree', () => {
    before(() => trade(books))

    it('is published once an interval, and by one worker', async () => {
      const { document } = await books.newest()
      await books.mine()
      await books.publish()
      expect((await books.newest()).document.block_number).to.equal(document.block_number)
      await passTime(market.api, services.settings.rules.liabilitySeconds)
      await Promise.all([books.publish(), books.publish(), books.publish()])
      const { rows: found } = await sql<{ trees: number }>`
        select count(*)::integer as trees from market.liabilities where block_number > ${document.block_number}`.execute(
        market.api.db,
      )
      expect(found).to.deep.equal([{ trees: 1 }])
    })

    it('is of no block after which something was booked while the index was read', async () => {
      const { document } = await books.newest()
      await passTime(market.api, services.settings.rules.liabilitySeconds)
      await books.mine()
      const order = await placed(buyer, seller, 'custodied')
      let isBooked = false
      const index = services.index.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (isBooked) return result
          isBooked = true
          await books.pay(order)
          await books.mine()
          await books.settleAll()
          return result
        },
      })
      await publishLiabilities({ ...services, index })
      expect(isBooked).to.equal(true)
      expect((await books.newest()).document).to.deep.equal(document)
      await books.publish()
      expect(Number((await books.newest()).document.total)).to.equal(Number(document.total) + 20)
    })

    it('waits for an index that has no views yet, as when it starts for the first time', async () => {
      const rename = (from: string, to: string) =>
        sql`alter schema ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(books.index)
      const { document } = await books.newest()
      await passTime(market.api, services.settings.rules.liabilitySeconds)
      await books.mine()
      await rename('chain', 'chain_to_be')
      await books.publish()
      await rename('chain_to_be', 'chain')
      expect((await books.newest()).document).to.deep.equal(document)
    })

    it('is published whatever accounts a stolen login of the API has opened [risk market-api]', async () => {
      const asset = assetKey(services.settings.chain)
      const stranger = `0x${'5'.repeat(40)}`
      const open = (owner: string, kind = 'hot_wallet', type = 'address') =>
        sql`select ledger.open_account(${asset}, ${kind}, ${type}, ${owner})`.execute(market.api.serviceDb).then(
          () => 'opened',
          (error: { code?: string }) => error.code,
        )
      const junk = ['x', '', '0x1', stranger.toUpperCase(), `${stranger}\n`, stranger.repeat(1000)]
      for (const owner of junk) {
        for (const kind of ['hot_wallet', 'cold_wallet']) expect(await open(owner, kind), owner).to.equal('23514')
      }
      expect([await open('x', 'payable', 'human'), await open('x', 'hold', 'hold')]).to.deep.equal(['23514', '23514'])
      expect(await open(stranger)).to.equal('opened')
      expect((await books.published()).document.wallets).to.deep.equal([market.chain.accounts.hotWallet.address])
    })

    it('leaves out an account on file whose owner is no wallet, and raises an alarm', async () => {
      const asset = assetKey(services.settings.chain)
      await market.api.db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        const { rows } = await sql<{ id: bigint }>`
          insert into ledger.accounts (asset, kind, owner_type, owner_id) values (${asset}, 'hot_wallet', 'address', 'x')
          returning id`.execute(tx)
        await sql`insert into ledger.entries (transfer_id, account_id, amount) values (0, ${rows[0]?.id}, 1)`.execute(
          tx,
        )
      })
      const lines: object[] = []
      await passTime(market.api, services.settings.rules.liabilitySeconds)
      await books.mine()
      const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
      await publishLiabilities({ ...services, log })
      expect(lines[0]).to.include({ alarm: true, skipped: 1 })
      const { document } = await books.newest()
      expect(document.wallets).to.deep.equal([market.chain.accounts.hotWallet.address])
    })

    it('keeps the paths of the newest trees, and for good what was signed', async () => {
      services.settings.rules.liabilityTreesKept = 2
      const [oldest, middle] = [await books.published(), await books.published(), await books.published()]
      const of = ({ document }: SignedLiabilities) => document.block_number
      const paths = (block: number) =>
        market.api.send('GET', `/v1/me/liabilities?block=${block}`, { token: seller.humanToken })
      expectProblem(await paths(of(oldest)), 404, 'resource/not-found')
      expect((await paths(of(middle))).status).to.equal(200)
      expect((await market.api.send('GET', `/v1/liabilities/${of(oldest)}`)).body).to.deep.equal(oldest)
      const { rows: left } = await sql`
        select from market.liability_nodes where block_number <= ${of(oldest)}
        union all select from market.liability_leaves where block_number <= ${of(oldest)}`.execute(market.api.db)
      expect(left).to.deep.equal([])
    })
  })
})
