import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../../api/platform/db/pool.ts'
import { listAskRows } from '../../../api/trading/asks/internal/list.ts'
import { listVersions } from '../../../api/trading/asks/internal/versions.ts'
import { listBidRows, listQuoteRows } from '../../../api/trading/bids/internal/list.ts'
import { listOrderRows, readRecords } from '../../../api/trading/orders/record/queries.ts'
import { openPlanned, type Planned } from '../../kit/api/platform/db/plans.ts'
import { startDatabase, type TestDatabase } from '../../kit/stack/database.ts'

// No order is found, and none is shown.
const NO_SETTINGS = undefined as never

describe('the lists of asks, bids, quotes and orders', () => {
  let database: TestDatabase
  let planned: Planned
  const someone = uuidv7()
  const something = uuidv7()
  let ask = something
  before(async () => {
    database = await startDatabase()
    planned = openPlanned(database.url)
    const { db } = planned
    await sql`insert into market.humans (id, display_name, email) values (${someone}, '', '')`.execute(db)
    await sql`
      insert into market.agents (id, owner_id, display_name, description)
      values (${someone}, ${someone}, '', '')`.execute(db)
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select gen_random_uuid(), ${someone}, '', '', 1, 1, 1 from generate_series(1, 6000)`.execute(db)
    await sql`vacuum analyze market.asks`.execute(db)
    ask = (await db.selectFrom('market.asks').select('id').limit(1).executeTakeFirstOrThrow()).id
  })
  after(async () => {
    await planned.db.destroy()
    await database.stop()
  })

  const orders = { role: undefined, state: 'funded', counterpartyId: undefined, updatedSince: undefined } as const
  const page = { before: something, limit: 20 }
  const reads: [string, (tx: Tx) => Promise<unknown>][] = [
    ['the asks of a seller', (tx) => listAskRows(tx, [someone], { active: undefined, ...page })],
    ['the active asks of a seller', (tx) => listAskRows(tx, [someone], { active: true, ...page })],
    ['the versions of an ask', (tx) => listVersions(tx, ask, { ...page, before: '9' })],
    ['the bids of everyone', (tx) => listBidRows(tx, undefined, page)],
    ['the bids of a bidder', (tx) => listBidRows(tx, [someone], page)],
    ['the quotes of an agent', (tx) => listQuoteRows(tx, [someone], { role: undefined, bidId: undefined, ...page })],
    ['the orders of several agents', (tx) => listOrderRows(tx, [someone, something], { ...orders, ...page })],
    ['orders with all that they say', (tx) => readRecords(tx, NO_SETTINGS, [something], [someone])],
    ['the quotes on a bid', (tx) => listQuoteRows(tx, [someone], { role: 'bidder', bidId: something, ...page })],
  ]
  for (const [name, read] of reads) {
    it(`finds ${name} by an index`, async () => {
      for (const plan of await planned.plansOf(read)) {
        expect(plan, plan).to.not.match(
          /Seq Scan on (asks|ask_versions|bids|quotes|agents|orders|disputes|acceptances|holds|authorizations|unmatched_payments)/,
        )
      }
    })
  }
})
