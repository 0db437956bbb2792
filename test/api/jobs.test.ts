import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { allJobs } from '../../api/jobs.ts'
import { Progress } from '../../api/payments/chain/progress.ts'
import { marketWebhooks } from '../../api/platform/webhooks/family.ts'
import { WebhookPump } from '../../api/platform/webhooks/pump.ts'
import { orgWebhooks } from '../../api/workspace/webhooks/family.ts'
import { indexTransfers } from '../kit/api/payments/chain/forgedIndex.ts'
import { paymentEvent } from '../kit/api/payments/escrow/chainEvents.ts'
import { orderOf, payoutsOf } from '../kit/api/payments/escrow/read.ts'
import { newAddress, newTrade, type Trade, type World } from '../kit/api/payments/escrow/world.ts'
import { type ForgedMarket, paid, startForgedMarket } from '../kit/api/payments/settlement/market.ts'
import { deliver, disputeIn, disputeOf, paidTrade, rejectedTrade } from '../kit/api/trading/disputes/world.ts'
import { mineBlocks } from '../kit/chain/payments.ts'

/** They compare with the chain. */
const FOLLOW_CHAIN = new Set(['settle', 'reconcile', 'hot_wallet', 'liabilities'])

describe('every job, run twice at once', () => {
  let market: ForgedMarket
  let world: World

  before(async () => {
    market = await startForgedMarket()
    world = market.world
  })

  after(() => market?.stop())

  const set = async ({ orderId }: Trade, column: 'accept_by' | 'sla_due_at' | 'expires_at' | 'redeliver_by') => {
    await sql`update market.orders set ${sql.ref(column)} = market.now() - interval '1 second' where id = ${orderId}`.execute(
      world.db,
    )
  }
  /** What is on file more than once, word for word: something that happened twice. */
  const repeated = async () => {
    const { rows } = await sql<{ what: string }>`
      select concat_ws(' ', event_type, payload) as what from market.events group by event_type, payload having count(*) > 1
      union all select concat_ws(' ', action, subject, details) from market.audit_log
      group by action, subject, details having count(*) > 1`.execute(world.db)
    return rows.map(({ what }) => what)
  }

  /** Work for the jobs of orders, payments and files. The chain has no block of these payments. */
  const prepare = async () => {
    const delivered = await paidTrade(world, 'custodied')
    await deliver(world, delivered)
    await set(delivered, 'accept_by')
    const late = await paidTrade(world, 'contract')
    await set(late, 'sla_due_at')
    const expired = await paidTrade(world, 'custodied')
    await set(expired, 'expires_at')
    const rejected = await rejectedTrade(world, 'custodied')
    await set(rejected, 'redeliver_by')
    const disputed = await disputeIn(world, 'custodied', 'open')
    await sql`update market.disputes set due_at = market.now() where id = ${disputed.disputeId}`.execute(world.db)
    const stray = paymentEvent(await newTrade(world, 'custodied', { payer: 'wallet' }), { from: newAddress() })
    await world.settle(stray)
    const unpaid = await newTrade(world, 'contract', { payer: 'wallet' })
    await sql`update market.orders set valid_before = 'epoch' where id = ${unpaid.orderId}`.execute(world.db)
    const exported = { id: randomUUID(), human_id: unpaid.buyer.humanId, state: 'pending' } as const
    await world.db.insertInto('market.exports').values(exported).execute()
    await world.db.insertInto('market.blob_removals').values({ blob_id: randomUUID() }).execute()
    return { delivered, late, expired, rejected, disputed, stray, unpaid, exported }
  }

  /**
   * Runs jobs in two workers at once, each job in both. Neither may fail or have something to alarm about.
   */
  const runTwice = async (isRun: (name: string) => boolean) => {
    const before = await repeated()
    const { services } = market
    const webhooks = { market: marketWebhooks, org: orgWebhooks }
    const workers = [1, 2].map(() => {
      const pump = new WebhookPump(webhooks, services, { wake: () => {} })
      return allJobs({ index: services.index, progress: new Progress(), sendWebhooks: () => pump.pass() })
    })
    const names = (workers[0] ?? []).map(({ name }) => name).filter(isRun)
    for (const name of names) {
      const runs = workers.map((jobs) => jobs.find((job) => job.name === name)?.run(services))
      const ends = await Promise.allSettled(runs)
      expect(ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : [])).join(), name).to.equal('')
      expect(market.alarms().join(), name).to.equal('')
    }
    expect((await repeated()).filter((what) => !before.includes(what))).to.deep.equal([])
    return names
  }

  test('each acts on what the chain has done once', async () => {
    const { trade, row } = await paid(market)
    await mineBlocks(market.chain, 3)
    await indexTransfers(market.index, [row])
    expect(await runTwice(() => true)).to.include.members([...FOLLOW_CHAIN])
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })

  test('each acts once on what is due', async () => {
    const given = await prepare()
    await runTwice((name) => !FOLLOW_CHAIN.has(name))
    const states = async (trade: Trade) => (await orderOf(world, trade)).state
    expect(await states(given.delivered)).to.be.oneOf(['accepted', 'final'])
    expect((await orderOf(world, given.late)).sla_breached_at).to.be.instanceOf(Date)
    expect(await states(given.expired)).to.equal('cancelled')
    expect(await states(given.rejected)).to.equal('disputed')
    expect((await disputeOf(world, given.disputed)).state).not.to.equal('open')
    expect(await states(given.unpaid)).to.equal('cancelled')
    expect((await payoutsOf(world, given.stray.from)).map(({ state }) => state)).to.deep.equal(['submitted'])
    const found = world.db.selectFrom('market.exports').select('state').where('id', '=', given.exported.id)
    expect((await found.executeTakeFirst())?.state).to.equal('ready')
    expect(await world.db.selectFrom('market.blob_removals').select('blob_id').execute()).to.deep.equal([])
  })
})
