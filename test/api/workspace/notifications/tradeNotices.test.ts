import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import { rulesFor } from '../../../../api/config/rules.ts'
import { choosePayoutWallet } from '../../../../api/identity/wallets/internal/choosePayoutWallet.ts'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { transitionPayout } from '../../../../api/payments/payouts/transition.ts'
import { emit } from '../../../../api/platform/events/emit.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { openOverdueDisputes } from '../../../../api/trading/disputes/work/deadlines.ts'
import { remindParties } from '../../../../api/trading/disputes/work/remind.ts'
import { orderPayload } from '../../../../api/trading/orders/record/transition.ts'
import { remindBuyers } from '../../../../api/trading/orders/work/remind.ts'
import { ratingEvents } from '../../../../api/trading/ratings/module.ts'
import { postMessage } from '../../../../api/trading/threads/internal/post.ts'
import { listNotifications, toNotification } from '../../../../api/workspace/notifications/internal/find.ts'
import { leaseSends } from '../../../../api/workspace/notifications/internal/lease.ts'
import { markRead } from '../../../../api/workspace/notifications/internal/markRead.ts'
import { tellOfTrades } from '../../../../api/workspace/notifications/trades.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { orderOf } from '../../../kit/api/payments/escrow/read.ts'
import { type Party, startWorld, type Trade, type World } from '../../../kit/api/payments/escrow/world.ts'
import { acceptAsBuyer } from '../../../kit/api/trading/acceptAsBuyer.ts'
import {
  DECIDABLE,
  deliver,
  dispute,
  type PaidTrade,
  paidTrade,
  pass,
  rejectedTrade,
  rule,
  UNDECIDABLE,
} from '../../../kit/api/trading/disputes/world.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

describe('what the people behind a trade are told', () => {
  let world: World
  let services: JobServices
  before(async () => {
    world = await startWorld()
    // As in production: a sandbox decides sooner.
    world.settings.rules = rulesFor(false)
    const { serviceDb: db, settings } = world
    services = { db, settings, rpc: openRpc('http://127.0.0.1:9'), log: pino({ level: 'silent' }) }
  })
  after(() => world?.stop())
  const tell = () => tellOfTrades(services)
  beforeEach(tell)

  /** What the market does by itself, now. */
  const work = async () => {
    await remindBuyers(services)
    await remindParties(services)
    await tell()
  }
  const passTime = (seconds: number) =>
    sql`update sandbox.clock set shift = shift + make_interval(secs => ${seconds})`.execute(world.db)
  const listed = async ({ humanId }: Party, isUnread = false) => {
    const inbox = { accountId: humanId, orgId: null }
    const found = await world.run((tx) => listNotifications(tx, inbox, isUnread, { from: undefined, limit: 50 }))
    return found.map(({ row }) => toNotification(world.settings, null, row))
  }
  /** The kinds that both sides were told, oldest first. */
  const told = async ({ buyer, seller }: Trade) => {
    const [bought, sold] = [await listed(buyer), await listed(seller)]
    const kinds = (list: typeof bought) => list.map(({ kind }) => kind).reverse()
    return { buyer: kinds(bought), seller: kinds(sold) }
  }
  const unread = async (party: Party) => (await listed(party, true)).map(({ kind }) => kind)
  const say = async (trade: PaidTrade, by: 'buyer' | 'seller') => {
    const { thread_id } = await orderOf(world, trade)
    const message = { threadId: thread_id ?? '', kind: 'note', payload: null, body: 'Hello.', sealed: null }
    await world.run((tx) => postMessage(tx, trade[by].call, message))
  }
  const withWindow = async (seconds: number) => {
    const trade = await paidTrade(world, 'custodied')
    await sql`update market.orders set auto_accept_seconds = ${seconds} where id = ${trade.orderId}`.execute(world.db)
    await deliver(world, trade)
    await work()
    return trade
  }

  it('a buyer is told of a delivery, with the address of the order, and who delivered it is not', async () => {
    const trade = await paidTrade(world, 'custodied')
    await deliver(world, trade)
    expect(await told(trade)).to.deep.equal({ buyer: [], seller: [] })
    await work()
    expect(await told(trade)).to.deep.equal({ buyer: ['order.delivered'], seller: [] })
    const [notice] = await listed(trade.buyer)
    expect(notice).to.deep.include({
      ...{ kind: 'order.delivered', role: 'buyer', title: 'Work that you ordered was delivered', read_at: null },
      ...{ entity_type: 'order', entity_id: trade.orderId, short_id: null, space_id: null, confirmation: null },
      ...{ actor: urnString('agent', trade.seller.agentId), url: `http://127.0.0.1/console/orders/${trade.orderId}` },
    })
  })

  it('each once, however often the log is read, by two workers at once, and after a restore', async () => {
    const trade = await paidTrade(world, 'custodied')
    await deliver(world, trade)
    await say(trade, 'seller')
    await say(trade, 'seller')
    await Promise.all([tell(), tell()])
    await sql`delete from market.event_consumers`.execute(world.db)
    await tell()
    await sql`update market.event_consumers set cursor = 'of another epoch'`.execute(world.db)
    await tell()
    const kinds = ['order.delivered', 'message.inserted', 'message.inserted']
    expect(await told(trade)).to.deep.equal({ buyer: kinds, seller: [] })
  })

  it('a party is told what the other wrote, but not of its own messages', async () => {
    const trade = await paidTrade(world, 'custodied')
    await say(trade, 'buyer')
    await say(trade, 'seller')
    await work()
    expect(await told(trade)).to.deep.equal({ buyer: ['message.inserted'], seller: ['message.inserted'] })
  })

  it('nobody of what they did by another agent of theirs', async () => {
    const trade = await paidTrade(world, 'custodied')
    const { humanId } = trade.seller
    await sql`update market.agents set owner_id = ${humanId} where id = ${trade.buyer.agentId}`.execute(world.db)
    await deliver(world, trade)
    await say(trade, 'buyer')
    await work()
    expect(await told(trade)).to.deep.equal({ buyer: [], seller: [] })
  })

  describe('a buyer whose delivery will accept itself', () => {
    it('is told again when a quarter of the window is left', async () => {
      const trade = await withWindow(DAY)
      await passTime(18 * HOUR - 60)
      await work()
      expect(await told(trade)).to.deep.equal({ buyer: ['order.delivered'], seller: [] })
      await passTime(60)
      await work()
      await work()
      expect(await told(trade)).to.deep.equal({ buyer: ['order.delivered', 'order.window_ending'], seller: [] })
    })

    it('is told a day before the end of a long window', async () => {
      const trade = await withWindow(14 * DAY)
      await passTime(13 * DAY - 60)
      await work()
      expect((await told(trade)).buyer).to.deep.equal(['order.delivered'])
      await passTime(60)
      await work()
      expect((await told(trade)).buyer).to.deep.equal(['order.delivered', 'order.window_ending'])
    })

    it('is told of a window of less than a day once', async () => {
      const trade = await withWindow(DAY - 1)
      await passTime(DAY - 2)
      await work()
      expect((await told(trade)).buyer).to.deep.equal(['order.delivered'])
    })

    it('is told no more once it has decided', async () => {
      const trade = await withWindow(DAY)
      await world.run((tx) => acceptAsBuyer(tx, world.settings, trade.orderId))
      await passTime(18 * HOUR)
      await work()
      expect((await told(trade)).buyer).to.not.include('order.window_ending')
    })
  })

  describe('what has become moot', () => {
    it('is never told', async () => {
      const trade = await paidTrade(world, 'custodied')
      await deliver(world, trade)
      await world.run((tx) => acceptAsBuyer(tx, world.settings, trade.orderId))
      await work()
      expect((await told(trade)).buyer).to.not.include('order.delivered')
    })

    it('is read, where it was told, and is not sent again', async () => {
      const trade = await paidTrade(world, 'custodied')
      await sql`insert into market.push_subscriptions (id, account_id, human_id, endpoint, p256dh, auth)
        values (gen_random_uuid(), ${trade.buyer.humanId}, ${trade.buyer.humanId}, 'https://push.example.com', 'p', 'a')`.execute(
        world.db,
      )
      await deliver(world, trade)
      await tell()
      expect(await unread(trade.buyer)).to.deep.equal(['order.delivered'])
      const first = await leaseSends(world.serviceDb, 10)
      expect(first.map(({ kind, is_wanted }) => ({ kind, is_wanted }))).to.deep.equal([
        { kind: 'order.delivered', is_wanted: true },
      ])
      await sql`update market.notification_sends set next_attempt_at = market.now()`.execute(world.db)
      await world.run((tx) => acceptAsBuyer(tx, world.settings, trade.orderId))
      const sends = await leaseSends(world.serviceDb, 10)
      expect(sends.map(({ kind, is_wanted }) => ({ kind, is_wanted }))).to.deep.equal([
        { kind: 'order.delivered', is_wanted: false },
      ])
      await tell()
      expect(await unread(trade.buyer)).to.not.include('order.delivered')
      expect((await told(trade)).buyer).to.include('order.delivered')
    })

    it('never appears, where quiet hours hold it back', async () => {
      const trade = await paidTrade(world, 'custodied')
      await sql`insert into market.notification_prefs (account_id, human_id, kinds, quiet_from, quiet_until, time_zone, hidden_roles)
        select ${trade.buyer.humanId}, ${trade.buyer.humanId}, '[]', (market.now() at time zone 'UTC')::time - interval '1 hour',
          (market.now() at time zone 'UTC')::time + interval '1 hour', 'UTC', '[]'`.execute(world.db)
      await deliver(world, trade)
      await say(trade, 'seller')
      await tell()
      expect((await told(trade)).buyer).to.deep.equal([])
      await world.run((tx) => acceptAsBuyer(tx, world.settings, trade.orderId))
      await tell()
      await passTime(2 * HOUR)
      const { buyer } = await told(trade)
      expect(buyer).to.include('message.inserted').and.not.include('order.delivered')
    })
  })

  it('a seller is told of a rejection, both of a dispute but for who opened it, and who is awaited before the evidence closes', async () => {
    const trade = await rejectedTrade(world, 'custodied')
    await work()
    expect((await told(trade)).seller).to.deep.equal(['order.rejected'])
    const disputed = await dispute(world, trade, UNDECIDABLE)
    await sql`update market.disputes set buyer_ready_at = market.now() where id = ${disputed.disputeId}`.execute(
      world.db,
    )
    await work()
    expect((await told(trade)).seller).to.deep.equal(['order.rejected', 'dispute.opened'])
    await passTime(world.settings.rules.disputeEvidenceSeconds - DAY / 4)
    await work()
    expect(await told(trade)).to.deep.equal({
      buyer: [],
      seller: ['order.rejected', 'dispute.opened', 'dispute.evidence_due'],
    })
  })

  it('nobody of the end of a time that is over when the reminder comes', async () => {
    const trade = await rejectedTrade(world, 'custodied')
    await dispute(world, trade, DECIDABLE)
    await passTime(world.settings.rules.disputeEvidenceSeconds + 1)
    await work()
    const { buyer, seller } = await told(trade)
    expect([...buyer, ...seller])
      .to.include('dispute.opened')
      .and.not.include('dispute.evidence_due')
  })

  it('both of a dispute that opens by itself', async () => {
    const trade = await rejectedTrade(world, 'custodied')
    await passTime(world.settings.rules.rejectionWindowSeconds)
    await openOverdueDisputes(services)
    await work()
    expect((await told(trade)).buyer).to.deep.equal(['dispute.opened'])
    expect((await told(trade)).seller).to.deep.equal(['dispute.opened'])
  })

  it('both of a verdict, and before the time to appeal is over who has not waived it', async () => {
    const disputed = await dispute(world, await rejectedTrade(world, 'custodied'), DECIDABLE)
    await tell()
    await pass(world, disputed)
    await rule(world, disputed)
    await sql`update market.disputes set seller_waived_at = market.now() where id = ${disputed.disputeId}`.execute(
      world.db,
    )
    await work()
    await passTime(world.settings.rules.appealWindowSeconds - DAY / 2)
    await work()
    const { buyer, seller } = await told(disputed)
    expect(buyer.filter((kind) => kind !== 'dispute.opened')).to.deep.equal([
      'verdict.signed',
      'dispute.appeal_window_ending',
    ])
    expect(seller.at(-1)).to.equal('verdict.signed')
  })

  it('a payee of its payouts, and a seller of a rating', async () => {
    const trade = await paidTrade(world, 'custodied')
    await deliver(world, trade)
    await world.run((tx) => acceptAsBuyer(tx, world.settings, trade.orderId))
    const { id } = await world.db
      .selectFrom('market.payouts')
      .select('id')
      .where('order_id', '=', trade.orderId)
      .executeTakeFirstOrThrow()
    for (const step of ['block', 'unblock', 'submit', 'fail', 'confirm'] as const) {
      await world.run((tx) => transitionPayout(tx, id, step))
      await work()
    }
    const order = await orderOf(world, trade)
    const payload = { ...orderPayload(order), rating: 5, rating_urn: urnString('rating', order.id) }
    const visibleTo = [order.buyer_id, order.seller_id]
    await world.run((tx) => emit(tx, ratingEvents['rating.posted'], { payload, visibleTo }))
    await work()
    expect(await told(trade)).to.deep.equal({
      buyer: [],
      seller: ['payout.blocked', 'payout.failed', 'payout.executed', 'rating.posted'],
    })
    expect(await unread(trade.seller)).to.deep.equal(['rating.posted', 'payout.executed'])
  })

  it('an owner of a payout wallet that was chosen, at once by every channel, whatever the owner prefers and a thief marks as read [risk mail-server withdraw-token]', async () => {
    const { seller } = await paidTrade(world, 'custodied')
    const { humanId } = seller
    await sql`insert into market.push_subscriptions (id, account_id, human_id, endpoint, p256dh, auth)
      values (gen_random_uuid(), ${humanId}, ${humanId}, 'https://push.example.com/w', 'w', 'a')`.execute(world.db)
    const kinds = JSON.stringify([{ kind: 'payout.wallet_chosen', channels: [], in_quiet_hours: false }])
    const hidden = sql`jsonb_build_array(jsonb_build_object('role', 'payee', 'until', market.now() + interval '9 days'))`
    await sql`insert into market.notification_prefs (account_id, human_id, kinds, quiet_from, quiet_until, time_zone, hidden_roles)
      select ${humanId}, ${humanId}, ${kinds}, (market.now() at time zone 'UTC')::time - interval '1 hour',
        (market.now() at time zone 'UTC')::time + interval '1 hour', 'UTC', ${hidden}`.execute(world.db)
    const { id } = await world.db
      .updateTable('market.wallets')
      .set({ payout_from: null })
      .where('owner_id', '=', humanId)
      .returning('id')
      .executeTakeFirstOrThrow()
    await world.run((tx) => choosePayoutWallet(tx, seller.call, id))
    await tell()
    const [notice] = await listed(seller)
    expect(notice).to.include({
      ...{ kind: 'payout.wallet_chosen', entity_type: 'wallet', entity_id: id },
      url: 'http://127.0.0.1/console/wallets',
    })
    await world.run((tx) => markRead(tx, { accountId: humanId, orgId: null }, 'all'))
    const mails = world.db.selectFrom('market.notification_sends').select(['channel', 'is_urgent'])
    expect(await mails.where('channel', '=', 'email').execute()).to.deep.equal([{ channel: 'email', is_urgent: true }])
    const sends = await leaseSends(world.serviceDb, 10)
    expect(sends.map(({ kind, is_wanted }) => ({ kind, is_wanted }))).to.deep.include({
      ...{ kind: 'payout.wallet_chosen', is_wanted: true },
    })
  })
})
