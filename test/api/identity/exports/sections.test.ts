import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createPublicClient, http } from 'viem'
import { personOf } from '../../../../api/identity/person.ts'
import { exportSections } from '../../../../api/modules.ts'
import { sealAuditLog } from '../../../../api/platform/audit/seal.ts'
import { paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import {
  newTrade,
  type Party,
  setState,
  startWorld,
  type Trade,
  type World,
} from '../../../kit/api/payments/escrow/world.ts'

type Counts = Record<string, number>

describe('what an export has of a trade', () => {
  let world: World
  let trade: Trade
  let stranger: Party

  before(async () => {
    world = await startWorld()
    trade = await newTrade(world, 'custodied', { payer: 'wallet' })
    stranger = (await newTrade(world, 'custodied', { sellerWallet: false, payer: 'unknown' })).buyer
    await world.settle(paymentEvent(trade))
    await setState(world, trade, 'accepted')
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
    for (const party of [trade.buyer, trade.seller]) await belongings(party)
    await owed(trade.seller)
    await say()
    const services = {
      ...{ db: world.serviceDb, settings: world.settings, log: pino({ level: 'silent' }) },
      rpc: createPublicClient({ transport: http('http://127.0.0.1:9') }),
    }
    await sealAuditLog(services)
  })

  after(() => world?.stop())

  /** What only one's own account has: each with a word that is nobody else's. */
  const belongings = async ({ humanId, agentId }: Party) => {
    const [passkey, org, soon] = [randomUUID(), randomUUID(), new Date(Date.now() + 60_000)]
    const own = `of ${humanId}`
    await sql`insert into market.passkeys (id, human_id, credential_id, public_key, counter, transports, name, is_backed_up)
      values (${passkey}, ${humanId}, ${Buffer.from(passkey)}, '', 0, '{}', ${own}, false)`.execute(world.db)
    await sql`insert into market.sessions (id, human_id, passkey_id, secret_hash, expires_at)
      values (${randomUUID()}, ${humanId}, ${passkey}, ${Buffer.from(passkey)}, ${soon})`.execute(world.db)
    await sql`with token as (insert into market.tokens (id, human_id, secret_hash, scopes)
        values (${randomUUID()}, ${humanId}, ${Buffer.from(own)}, '{read}') returning spending_id)
      insert into market.token_spending (spending_id, day, committed_micros) select spending_id, '2026-05-17', 7 from token
      `.execute(world.db)
    await sql`insert into market.agent_keys (id, agent_id, hpke_public_key, signing_public_key, wallet, issued_at, signature)
      values (${randomUUID()}, ${agentId}, ${own}, ${own}, '0x', now(), '0x')`.execute(world.db)
    await sql`insert into market.orgs (id, slug, display_name) values (${org}, ${`org-${humanId}`}, ${own})`.execute(
      world.db,
    )
    await sql`insert into market.org_members (org_id, human_id, role) values (${org}, ${humanId}, 'owner')`.execute(
      world.db,
    )
    const refs = sql`substr(md5(random()::text), 1, 10)`
    await sql`with space as (insert into market.spaces (id, short_id, org_id, name, created_by)
        values (${randomUUID()}, ${refs}, ${org}, ${own}, ${`market:human:${humanId}`}) returning id),
      task as (insert into market.tasks (id, short_id, org_id, space_id, title, text, created_by)
        select ${randomUUID()}, ${refs}, ${org}, id, ${own}, '', ${`market:human:${humanId}`} from space),
      page as (insert into market.pages (id, short_id, org_id, space_id, title, text, created_by)
        select ${randomUUID()}, ${refs}, ${org}, id, ${own}, 'Forty-two lines.', ${`market:agent:${agentId}`} from space
        returning id),
      said as (insert into market.page_versions (page_id, number, org_id, title, text, created_by)
        select id, 1, ${org}, ${own}, 'Forty-two lines.', ${`market:agent:${agentId}`} from page),
      entry as (insert into market.entries (id, short_id, org_id, page_id, text, created_by)
        select ${randomUUID()}, ${refs}, ${org}, id, ${own}, ${`market:agent:${agentId}`} from page),
      comment as (insert into market.comments (id, short_id, org_id, page_id, text, created_by)
        select ${randomUUID()}, ${refs}, ${org}, id, ${own}, ${`market:human:${humanId}`} from page),
      decision as (insert into market.decisions (id, short_id, org_id, space_id, title, text, created_by)
        select ${randomUUID()}, ${refs}, ${org}, id, ${own}, '', ${`market:agent:${agentId}`} from space),
      view as (insert into market.views (id, short_id, org_id, name, query, created_by)
        values (${randomUUID()}, ${refs}, ${org}, ${own}, '', ${`market:human:${humanId}`})),
      attachment as (insert into market.attachments (id, short_id, org_id, page_id, filename, created_by)
        select ${randomUUID()}, ${refs}, ${org}, id, ${own}, ${`market:agent:${agentId}`} from page returning id),
      file as (insert into market.files (id, org_id, sha256, size_bytes, scan_state)
        select gen_random_uuid(), ${org}, sha.value, 1, sha.state
        from (values (${'ab'.repeat(32)}, 'clean'), (${'cd'.repeat(32)}, 'infected')) sha(value, state)
        returning id, scan_state)
      insert into market.attachment_versions (attachment_id, number, file_id, media_type, created_by)
      select attachment.id, case file.scan_state when 'clean' then 1 else 2 end, file.id, 'text/plain',
        ${`market:agent:${agentId}`} from attachment, file
      `.execute(world.db)
    await sql`insert into market.webhook_subscriptions (id, account_id, human_id, url, event_types, secret_hash, sealed_secret)
      values (${org}, ${agentId}, ${humanId}, ${own}, '{*}', ${own}, '')`.execute(world.db)
    await sql`insert into market.confirmations (id, org_id, agent_id, human_id, question, expires_at)
      values (${org}, ${org}, ${agentId}, ${humanId}, ${own}, ${soon})`.execute(world.db)
    await sql`insert into market.notification_prefs (account_id, human_id, kinds, hidden_roles)
      values (${agentId}, ${humanId}, '[]', '[]')`.execute(world.db)
    await sql`insert into market.pictures (id, human_id, webp)
      values (${randomUUID()}, ${humanId}, ${Buffer.from(own)})`.execute(world.db)
    await sql`insert into market.push_subscriptions (id, account_id, human_id, endpoint, p256dh, auth)
      values (${org}, ${agentId}, ${humanId}, ${own}, ${own}, '')`.execute(world.db)
    await sql`insert into market.notifications (id, org_id, account_id, human_id, kind, role, entity_type, entity_id)
      values (${randomUUID()}, ${org}, ${agentId}, ${humanId}, 'attachment.created', 'author', 'attachment', ${org})`.execute(
      world.db,
    )
    await sql`insert into market.webhook_deliveries (subscription_id, event_id, event_type, body)
      values (${org}, ${org}, 'order.funded', '{}')`.execute(world.db)
  }
  /** Each wants something and is offered something; both have it, and so has who offered. */
  const owed = async ({ humanId }: Party) => {
    await sql`insert into market.liabilities (block_number, document, key_id, signature, has_tree)
      values (7, '{"root": "ab"}', '', '', true)`.execute(world.db)
    await sql`insert into market.liability_leaves (block_number, account_id, position, amount, salt)
      select 7, id, 0, 19, '\\x01' from ledger.accounts where owner_id = ${humanId} and kind = 'payable'`.execute(
      world.db,
    )
    const bid = randomUUID()
    const soon = new Date(Date.now() + 60_000)
    await sql`insert into market.bids (id, bidder_id, title, description, max_price_micros, sla_seconds, expires_at)
      values (${bid}, ${trade.buyer.agentId}, 'Wanted', '', 1, 1, ${soon})`.execute(world.db)
    await sql`insert into market.quotes
      (id, bid_id, bidder_id, seller_id, price_micros, sla_seconds, auto_accept_seconds, message, expires_at)
      values (${randomUUID()}, ${bid}, ${trade.buyer.agentId}, ${trade.seller.agentId}, 1, 1, 1, '', ${soon})`.execute(
      world.db,
    )
  }
  /** The seller says something, has uploaded what it delivered, and something it did not. */
  const say = async () => {
    const { thread_id: thread } = await world.db
      .selectFrom('market.orders')
      .select('thread_id')
      .where('id', '=', trade.orderId)
      .executeTakeFirstOrThrow()
    const message = randomUUID()
    await sql`insert into market.messages (id, thread_id, sender_id, kind, body)
      values (${message}, ${thread}, ${trade.seller.agentId}, 'message', 'Here it is.')`.execute(world.db)
    await sql`insert into market.delivery_notices (order_id, number, message_id, output_hash, sla_due_at)
      values (${trade.orderId}, 1, ${message}, ${'ab'.repeat(32)}, now())`.execute(world.db)
    await sql`insert into market.rejections (order_id, number, reason)
      values (${trade.orderId}, 1, 'Two lines are missing.')`.execute(world.db)
    const dispute = randomUUID()
    await sql`insert into market.disputes (id, order_id, state, opener, outcome, refund_micros, closed_at)
      values (${dispute}, ${trade.orderId}, 'closed', 'buyer', 'verdict', 0, now())`.execute(world.db)
    await sql`insert into market.dispute_statements (dispute_id, party, author_id, grounds, what_happened)
      values (${dispute}, 'buyer', ${trade.buyer.agentId}, '{late}', 'It was late.')`.execute(world.db)
    await sql`insert into market.appeal_statements (dispute_id, party, author_id, statement, screening)
      values (${dispute}, 'buyer', ${trade.buyer.agentId}, 'It was very late.', '{}')`.execute(world.db)
    await sql`insert into market.evidence_files (id, dispute_id, party, author_id, stage, sha256, size_bytes, is_blank)
      values (${randomUUID()}, ${dispute}, 'buyer', ${trade.buyer.agentId}, 'evidence', ${'ab'.repeat(32)}, 1, false)`.execute(
      world.db,
    )
    await sql`update market.orders set dispute_id = ${dispute} where id = ${trade.orderId}`.execute(world.db)
    await sql`insert into market.verdicts (id, dispute_id, sequence, kind, winner, payer_micros, payee_micros, fee_micros,
        document, key_id, signature)
      values (${randomUUID()}, ${dispute}, 1, 'rules', 'seller', 0, 19, 1, '{}', '', '')`.execute(world.db)
    const rating = randomUUID()
    await sql`insert into market.ratings (id, order_id, seller_id, stars, comment)
      values (${rating}, ${trade.orderId}, ${trade.seller.agentId}, 5, 'Good verse.')`.execute(world.db)
    await sql`insert into market.rating_replies (rating_id, reply) values (${rating}, 'Thank you.')`.execute(world.db)
    for (const told of [message, null])
      await sql`insert into market.deliveries (id, order_id, message_id, sha256, size_bytes, filename)
        values (${randomUUID()}, ${trade.orderId}, ${told}, ${'ab'.repeat(32)}, 1, 'a file')`.execute(world.db)
  }

  const read = async ({ humanId }: Party) => {
    const found: Record<string, Record<string, unknown>[]> = {}
    for (const { name, rows } of exportSections) {
      const answer = await sql<{ document: Record<string, unknown> }>`
        select document from (${rows(personOf(humanId))}) one`.execute(world.db)
      found[name] = answer.rows.map(({ document }) => document)
    }
    return found
  }
  const countsOf = (found: Record<string, unknown[]>): Counts => {
    const { audit_log: _log, ...others } = Object.fromEntries(
      Object.entries(found).map(([name, rows]) => [name, rows.length]),
    )
    return others
  }
  const both = {
    ...{
      account: 1,
      agents: 1,
      tokens: 1,
      token_spending: 1,
      passkeys: 1,
      sessions: 1,
      wallets: 1,
      agent_keys: 1,
      orgs: 1,
    },
    ...{ orders: 1, messages: 1, rejections: 1, disputes: 1, verdicts: 1, ratings: 1, receipts: 1, quotes: 1 },
    ...{ evidence_files: 1, page_versions: 1, page_entries: 1, tasks: 1, comments: 1, decisions: 1, views: 1 },
    ...{
      webhooks: 1,
      webhook_deliveries: 1,
      notifications: 1,
      confirmations: 1,
      notification_prefs: 1,
      push_subscriptions: 1,
      pictures: 1,
      attachments: 1,
    },
  }

  it('is all that its seller has: the upload that was never sent, what is owed and what is paid out', async () => {
    const found = await read(trade.seller)
    expect(countsOf(found)).to.deep.equal({ ...both, asks: 1, bids: 0, deliveries: 2, payouts: 1, liabilities: 1 })
    expect(found.payouts?.[0]).to.include({ leg: 'payee', amount: '19.000000', state: 'pending' })
    expect(found.liabilities?.[0]).to.include({ amount: '0.000019', root: 'ab', salt: '01' })
    expect(found.receipts?.[0]?.document).to.include({ seller_net: '19.000000', fee_bps: 500 })
  })

  it('is all that its buyer has: what was delivered, and nothing that was not', async () => {
    const found = await read(trade.buyer)
    expect(countsOf(found)).to.deep.equal({ ...both, asks: 0, bids: 1, deliveries: 1, payouts: 0, liabilities: 0 })
    expect(found.messages?.[0]).to.include({ body: 'Here it is.', kind: 'message' })
    expect(found.orders?.[0]).to.include({ urn: `market:order:${trade.orderId}`, price: '20.000000' })
  })

  it('has each in words of its own, and of the other side no more than its agent', async () => {
    for (const [party, other] of [
      [trade.buyer, trade.seller],
      [trade.seller, trade.buyer],
    ] as const) {
      const found = await read(party)
      for (const [section, field] of Object.entries({
        passkeys: 'name',
        agent_keys: 'hpke_public_key',
        orgs: 'display_name',
      }))
        expect(found[section]?.[0]?.[field], section).to.equal(`of ${party.humanId}`)
      expect(found.audit_log?.length, 'audit_log').to.be.greaterThan(0)
      expect(JSON.stringify(found)).not.to.include(other.humanId)
    }
  })

  it('is nothing for who had no part in it', async () => {
    const { account, agents, orders, audit_log: log, ...others } = await read(stranger)
    expect([account, agents, orders].map((rows) => rows?.length)).to.deep.equal([1, 1, 1])
    expect(orders?.[0]?.urn).to.not.equal(`market:order:${trade.orderId}`)
    expect(Object.values(others).flat()).to.deep.equal([])
    expect(JSON.stringify(log)).not.to.include(trade.orderId)
  })
})
