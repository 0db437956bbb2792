import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { newTrade, startWorld, type Trade, type World } from '../../../kit/api/payments/escrow/world.ts'
import { until } from '../../../kit/until.ts'

describe('the rows that wake jobs', () => {
  let world: World
  let trade: Trade
  let listener: pg.Client
  const heard: string[] = []

  before(async () => {
    world = await startWorld()
    trade = await newTrade(world, 'custodied')
    listener = new pg.Client({ connectionString: world.databaseUrl })
    listener.on('notification', ({ payload = '' }) => heard.push(payload))
    await listener.connect()
    await listener.query('listen market_jobs')
  })

  after(async () => {
    await listener?.end()
    await world?.stop()
  })

  /** The jobs that a statement wakes. Notifications come in the order of the commits. */
  const wokenBy = async (statement: RawBuilder<unknown>): Promise<string[]> => {
    await statement.execute(world.db)
    await sql`select pg_notify('market_jobs', 'the end')`.execute(world.db)
    const listen = async () => {
      await listener.query('select')
      return heard.at(-1)
    }
    await until('the end is heard', listen, (last) => last === 'the end', { pollMs: 0 })
    return heard.splice(0).slice(0, -1)
  }
  const setOrder = (assignment: RawBuilder<unknown>) =>
    sql`update market.orders set ${assignment} where id = ${trade.orderId}`

  const id = sql`gen_random_uuid()`
  const cases: [string, () => RawBuilder<unknown>, string[]][] = [
    ['a moved clock', () => sql`update sandbox.clock set shift = shift`, ['*']],
    [
      'an order that nobody is near the end of',
      () => setOrder(sql`accept_by = market.now() + interval '2 minutes'`),
      [],
    ],
    ['a short time to decide', () => setOrder(sql`accept_by = market.now() + interval '2 seconds'`), ['accept']],
    ['a short time to deliver', () => setOrder(sql`sla_due_at = market.now() + interval '2 seconds'`), ['breaches']],
    ['an order that is cancelled', () => setOrder(sql`state = 'cancelled'`), ['strays']],
    ['an order that ends later', () => setOrder(sql`state = 'accepted'`), []],
    [
      'an export',
      () => sql`insert into market.exports (id, human_id, state) values (${id}, ${trade.buyer.humanId}, 'pending')`,
      ['exports'],
    ],
    ['a blob to remove', () => sql`insert into market.blob_removals (blob_id) values (${id})`, ['blob_removals']],
    [
      'an intent that was given up',
      () => sql`insert into facilitator.outcomes (intent_id, status) values (${id}, 'failed')`,
      ['outcomes'],
    ],
    [
      'an intent that was done',
      () => sql`insert into facilitator.outcomes (intent_id, status) values (${id}, 'confirmed')`,
      [],
    ],
    [
      'a stop',
      () => sql`insert into market.payout_stops (id, reason, raised_by) values (${id}, 'test', 'service')`,
      [],
    ],
    [
      'a stop that is lifted',
      () => sql`update market.payout_stops set lifted_at = market.now(), lifted_by = 'test'`,
      ['payouts'],
    ],
    [
      'a fact of the chain',
      () => sql`insert into market.processed_chain_events (key, kind, block_number, block_hash, tx_hash, log_index)
        values ('test', 'funded', 1, '0x' || repeat('1', 64), '0x' || repeat('1', 64), 0)`,
      ['reconcile'],
    ],
    [
      'a payment that is parked',
      () => sql`insert into market.unmatched_payments (key, kind, status, payer, amount_micros, tx_hash)
        values ('test', 'wallet_payment', 'waiting', '0x', 1, '0x')`,
      ['strays'],
    ],
    [
      'a payout',
      () => sql`with deposit as (insert into market.deposits
          (payer, nonce, amount_micros, tx_hash, payee_payout_nonce, payer_payout_nonce)
          values ('0x', '0x', 1, '0x', '0x1', '0x2'))
        insert into market.payouts (id, leg, state, amount_micros, deposit_from, deposit_nonce, nonce)
        values (${id}, 'payer', 'pending', 1, '0x', '0x', '0x')`,
      ['payouts'],
    ],
    ['a payout on its way', () => sql`update market.payouts set state = 'submitted'`, []],
    ['a payout that is tried again', () => sql`update market.payouts set state = 'pending'`, ['payouts']],
  ]
  for (const [what, statement, jobs] of cases) {
    test(`${what}: ${jobs.join() || 'none'}`, async () => {
      expect(await wokenBy(statement())).to.deep.equal(jobs)
    })
  }
})
