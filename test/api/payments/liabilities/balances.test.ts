import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { eraseHuman } from '../../../../api/identity/erasure/internal/erase.ts'
import { tableRules } from '../../../../api/modules.ts'
import { assetKey } from '../../../../api/payments/ledger/post.ts'
import { failPayout } from '../../../../api/payments/payouts/fail.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import type { PublicKeyJwk } from '../../../../protocol/keys/signing.ts'
import type { LiabilityInclusion } from '../../../../protocol/liabilities/liabilities.ts'
import { proveBalances } from '../../../../sdk/liabilities.ts'
import { fileDueErasure } from '../../../kit/api/identity/erasure.ts'
import { owe } from '../../../kit/api/payments/ledger/postings.ts'
import {
  human,
  type PublishedBooks,
  prove,
  startPublishing,
  trade,
} from '../../../kit/api/payments/liabilities/books.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { newTrader, type PlacedOrder, placed, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('what each is owed, as it is proved to them', () => {
  let books: PublishedBooks
  let market: TestMarket
  let keys: readonly PublicKeyJwk[]
  let buyer: Trader
  let seller: Trader
  let first: PlacedOrder

  before(async () => {
    books = await startPublishing()
    ;({ market, keys, buyer, seller } = books)
    first = await books.pay(await placed(buyer, seller, 'custodied'))
    await books.published()
  })

  after(() => books?.stop())

  const standing = ({ balances }: { balances: LiabilityInclusion[] }) =>
    balances.map(({ account, amount }) => `${account} ${amount}`).sort()
  const kindOf = (line: string) =>
    line.replace(/(payout|payment|transfer):\S+/, '$1').replace('market:payout', 'payout')

  it('shows both sides of an order its money, with a path to the root, and nobody else anything', async () => {
    const hold = [`hold:${first.urn} 20.000000`]
    expect(standing(await prove(books, buyer))).to.deep.equal(hold)
    expect(standing(await prove(books, seller))).to.deep.equal(hold)
    expect(standing(await proveBalances(buyer.client, keys))).to.deep.equal(hold)
    expect(standing(await prove(books, await newTrader(market)))).to.deep.equal([])
  })

  it('counts what is earned, on its way and kept apart, and neither fees nor what the contract holds', async () => {
    const { document } = await trade(books)
    expect(document.total).to.equal('59.000005')
    expect(standing(await prove(books, seller)).map(kindOf)).to.deep.equal([
      `hold:${first.urn} 20.000000`,
      'in_transit:payout 20.000000',
      `payable:market:human:${seller.humanId} 19.000000`,
    ])
    expect(standing(await prove(books, buyer)).map(kindOf)).to.deep.equal([
      `hold:${first.urn} 20.000000`,
      'in_transit:payout 20.000000',
      'suspense:transfer 0.000005',
    ])
    expect(standing(await proveBalances(seller.client, keys)).map(kindOf)).to.deep.equal([
      `hold:${first.urn} 20.000000`,
      'in_transit:payout 20.000000',
    ])
  })

  it('gives each tree salts and places of its own, so that two do not tell whose leaf was whose', async () => {
    const [one, two] = [await books.published(), await books.published()]
    const { rows: found } = await sql<{ salts: number; leaves: number }>`
      select count(distinct salt)::integer as salts, count(*)::integer as leaves from market.liability_leaves
      where block_number in (${one.document.block_number}, ${two.document.block_number})`.execute(market.api.db)
    expect(found[0]?.leaves).to.be.above(2)
    expect(found[0]?.salts).to.equal(found[0]?.leaves)
    expect(one.document.root).to.not.equal(two.document.root)
    expect(one.document.total).to.equal(two.document.total)
  })

  it('is read page by page, each of the one tree, by its own reader alone', async () => {
    const { document } = await books.newest()
    const path = `/v1/me/liabilities?limit=1&block=${document.block_number}`
    const page = await market.api.send('GET', path, { token: seller.humanToken })
    expect(page.body.balances).to.have.length(1)
    const next = `${path}&cursor=${page.body.next_cursor}`
    const second = await market.api.send('GET', next, { token: seller.humanToken })
    expect(second.body.balances).to.have.length(1).and.not.deep.equal(page.body.balances)
    expectProblem(await market.api.send('GET', next, { token: buyer.humanToken }), 400, 'request/invalid', 'cursor')
    const other = next.replace(String(document.block_number), String(document.block_number - 1))
    expect((await market.api.send('GET', other, { token: seller.humanToken })).status).to.equal(404)
  })

  it('shows a refund that could not be made to who it is for, for as long as it is kept apart', async () => {
    const { db, settings } = market.api
    const refund = await db
      .selectFrom('market.payouts')
      .select('id')
      .where('leg', '=', 'payer')
      .executeTakeFirstOrThrow()
    for (const _attempt of [1, 2, 3]) {
      await inTransaction(db, 'read write', (tx) => submitPayout(tx, settings, refund.id))
      await inTransaction(db, 'read write', (tx) => failPayout(tx, settings, refund.id, 'failed: blacklisted'))
    }
    await books.published()
    const apart = [`hold:${first.urn} 20.000000`, 'suspense:payment 20.000000']
    expect(standing(await proveBalances(buyer.client, keys)).map(kindOf)).to.deep.equal(apart)
    const proved = await prove(books, buyer)
    expect(standing(proved).map(kindOf)).to.deep.equal([...apart, 'suspense:transfer 0.000005'])
    const { body } = await market.api.send('GET', '/v1/ledger/balances', { token: buyer.humanToken })
    expect(body.custody).to.include({ kept_apart: '20.000000', total: '40.000000' })
  })

  it('loses what was an erased owner’s, and still proves everybody else’s', async () => {
    const gone = await newTrader(market)
    const { document } = await books.newest()
    const { db } = market.api
    // As it stands after they were paid: the tree is of before.
    await sql`
      insert into market.liability_leaves (block_number, account_id, position, amount, salt)
      select ${document.block_number}, id, 999, 1, sha256('') from ledger.accounts
      where owner_id = ${gone.humanId}`.execute(db)
    await fileDueErasure(db, gone.humanId)
    await inTransaction(db, 'read write', (tx) => eraseHuman(tx, gone.humanId, tableRules))
    const { rows: left } = await sql`
      select from market.liability_leaves where position = 999`.execute(db)
    expect(left).to.deep.equal([])
    expect((await proveBalances(human(books, seller), keys)).balances).to.have.length(3)
  })

  it('proves each of many, however far apart they stand', async () => {
    const some = [await newTrader(market), await newTrader(market)]
    const asset = assetKey(market.api.settings.chain)
    const payable = (id: string) => ({ kind: 'payable', owner: { type: 'human', id } }) as const
    const others = Array.from({ length: 700 }, () => payable(randomUUID()))
    await owe(market.api.db, asset, [...others, ...some.map(({ humanId }) => payable(humanId))], 11n)
    const { document } = await books.published()
    expect(document.height).to.equal(10)
    for (const one of some) {
      const { totalMicros } = await proveBalances(human(books, one), keys)
      expect(totalMicros).to.equal(11n)
    }
  })
})
