import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import { requestIntent } from '../../../../api/payments/chain/intents.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import { followOutcomes } from '../../../../api/payments/settlement/outcomes.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { expireUnpaid } from '../../../../api/trading/orders/payment/expireUnpaid.ts'
import { chainSettings } from '../../../../cli/stack/services.ts'
import { paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { orderOf, payoutsOf } from '../../../kit/api/payments/escrow/read.ts'
import { newAddress, newHash, newTrade, PRICE, startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { startChain, type TestChain } from '../../../kit/chain/node.ts'
import { mineBlocks } from '../../../kit/chain/payments.ts'

// More than any pass takes up at once.
const MANY = 120

describe('work that cannot be done now', () => {
  let world: World
  let chain: TestChain
  let services: JobServices

  before(async () => {
    ;[world, chain] = await Promise.all([startWorld(), startChain()])
    await mineBlocks(chain, 3)
    const settings = { ...world.settings, chain: chainSettings(chain) }
    services = { db: world.serviceDb, rpc: chain.client, settings, log: pino({ level: 'silent' }) }
  })

  after(async () => {
    await world?.stop()
    await chain?.stop()
  })

  const giveUp = () =>
    sql`
    insert into facilitator.outcomes (intent_id, status, reason)
    select id, 'failed', 'reverted' from market.intents where closed_at is null
    on conflict do nothing`.execute(world.db)

  it('holds up no other intent that was given up', async () => {
    for (let index = 0; index < MANY; index++) {
      const payment = { from: newAddress(), nonce: newHash(), amount: PRICE, txHash: newHash() }
      await world.run((tx) =>
        requestIntent(tx, { key: `return_stray:${index}`, orderId: null }, { kind: 'return_stray', payment }),
      )
    }
    const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
    const stray = paymentEvent(trade, { from: newAddress() })
    await world.settle(stray)
    const [payout] = await payoutsOf(world, stray.from)
    await world.run((tx) => submitPayout(tx, world.settings, payout?.id ?? ''))
    await giveUp()
    await followOutcomes(services)
    expect((await payoutsOf(world, stray.from))[0]).to.include({ state: 'pending', attempt: 2 })
  })

  it('holds up the expiry of no other order', async () => {
    const trade = await newTrade(world, 'contract', { payer: 'wallet' })
    await sql`update market.orders set valid_before = 'epoch' where id = ${trade.orderId}`.execute(world.db)
    const copies = await sql<{ id: string }>`
      insert into market.orders select copy.* from market.orders original, generate_series(1, ${MANY}) number,
        jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), 'order_key', number,
          'nonce', '0x' || md5(number::text) || md5('nonce' || number), 'valid_before', to_timestamp(-1))) copy
      where original.id = ${trade.orderId} returning id`.execute(world.db)
    const adoption = { kind: 'adopt', terms: { ...terms(), amount: PRICE }, payment: paid() } as const
    for (const { id } of copies.rows)
      await world.run((tx) => requestIntent(tx, { key: `adopt:${id}`, orderId: id }, adoption))
    await expireUnpaid(services)
    expect((await orderOf(world, trade)).state).to.equal('cancelled')
    const left = sql`select from market.orders where state = 'placed' and ask_id = ${trade.order.ask_id}`
    const { rows } = await left.execute(world.db)
    expect(rows).to.have.length(MANY)
  })
})

function terms() {
  return { order: newHash(), payee: newAddress(), feeRecipient: newAddress(), feeBps: 500, fundBy: 1, expiry: 2 }
}

function paid() {
  return { from: newAddress(), nonce: newHash(), amount: PRICE, txHash: newHash() }
}
