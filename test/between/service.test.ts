import { after, before, describe } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import { requestSweep } from '../../api/payments/reserve/sweep.ts'
import { applyChainEvent } from '../../api/payments/settlement/internal/applyChainEvent.ts'
import { audit } from '../../api/platform/audit/audit.ts'
import { sealAuditLog } from '../../api/platform/audit/seal.ts'
import type { JobServices } from '../../api/platform/jobs/services.ts'
import { marketWebhooks, type WebhookFamily } from '../../api/platform/webhooks/family.ts'
import { type LeasedDelivery, leaseDeliveries } from '../../api/platform/webhooks/internal/lease.ts'
import { recordAttempt } from '../../api/platform/webhooks/internal/record.ts'
import { transitionWebhooks } from '../../api/platform/webhooks/internal/transition.ts'
import { newId } from '../../protocol/encoding/ids.ts'
import { sweepNonce } from '../../protocol/payments/nonces.ts'
import { place } from '../kit/api/payments/escrow/chainEvents.ts'
import { newAddress, newParty, startWorld, type World } from '../kit/api/payments/escrow/world.ts'
import { idleNode, runIn } from '../kit/between/money.ts'
import { describeStage, openWatcher, type Watcher } from '../kit/between/stage.ts'

describe('jobs of the service, with somebody else acting in between', { timeout: 600_000 }, () => {
  let world: World
  let watcher: Watcher
  let services: JobServices
  let humanId: string

  before(async () => {
    world = await startWorld()
    watcher = await openWatcher(world.databaseUrl)
    const { settings, serviceDb: db } = world
    services = { db, settings, rpc: idleNode(settings.chain.chainId, 1n), log: pino({ level: 'silent' }) }
    humanId = (await newParty(world)).humanId
    // The first one draws the key that signs heads.
    await sealAuditLog(services)
    await sealAuditLog(services)
  })
  after(async () => {
    await watcher?.stop()
    await world?.stop()
  })

  describeStage<object>(
    {
      title: 'the audit log, with entries that are not sealed',
      arrange: async () => {
        for (let entry = 0; entry < 3; entry++) await write()
        return {}
      },
      acts: { 'its sealing': () => sealAuditLog(services), 'another entry': () => write() },
      later: () => sealAuditLog(services),
      holds: async () => {
        const { rows } = await sql<{ lost: bigint; gaps: bigint }>`
          select (select count(*) from market.audit_log where id not in (select entry_id from market.audit_seals)) as lost,
            (select max(position) - count(*) from market.audit_seals) as gaps`.execute(world.db)
        expect(rows).to.deep.equal([{ lost: 0n, gaps: 0n }])
      },
    },
    () => watcher,
  )
  const write = () =>
    runIn(world, async (tx) => {
      await audit(tx, { actor: 'service', action: 'test', subject: 'entry', details: { a: 1 } })
    })

  const reserve = { coldWallet: newAddress(), ceilingMicros: 1n }
  const swept = (sequence: bigint) => ({
    ...({ kind: 'outflow', place: place(), to: reserve.coldWallet, amountMicros: 5n } as const),
    nonce: sweepNonce(world.settings.chain, sequence),
  })
  const ask = () => runIn(world, async (tx) => void (await requestSweep(tx, world.settings, 5n)))
  describeStage<{ sequence: bigint }>(
    {
      title: 'a surplus of the hot wallet',
      arrange: async () => {
        await sql`update market.sweeps set state = 'confirmed' where state <> 'confirmed'`.execute(world.db)
        const { rows } = await sql<{ next: bigint }>`
          select coalesce(max(sequence), 0) + 1 as next from market.sweeps`.execute(world.db)
        return { sequence: rows[0]?.next ?? 1n }
      },
      acts: {
        'the request of a sweep': ask,
        'a sweep that another copy of the database had requested': ({ sequence }) =>
          runIn(world, (tx) => applyChainEvent(tx, { ...world.settings, reserve }, swept(sequence))),
      },
      // The job asks again at each block.
      later: ask,
      holds: async () => {
        const { rows } = await sql`select from market.sweeps where state = 'requested'`.execute(world.db)
        expect(rows.length).to.be.at.most(1)
      },
    },
    () => watcher,
  )

  const reply = (status: number) => ({ reply: { status, excerpt: '', headers: {} }, latencyMs: 1 })
  const family: WebhookFamily = {
    ...marketWebhooks,
    verdictOf: (status) => (status === 410 ? 'gone' : marketWebhooks.verdictOf(status)),
  }
  const limits = { atMost: 5, perWebhook: 5, except: [], leaseSeconds: 60 }
  describeStage<{ hook: string; delivery: LeasedDelivery }>(
    {
      title: 'a delivery of a webhook whose lease has run out',
      arrange: async () => {
        await sql`delete from market.webhook_subscriptions`.execute(world.db)
        const hook = newId()
        const owner = { account_id: hook, human_id: humanId, url: 'http://127.0.0.1/', event_types: ['*'] }
        const secret = { secret_hash: '', sealed_secret: Buffer.from('secret') }
        await world.db
          .insertInto('market.webhook_subscriptions')
          .values({ id: hook, ...owner, ...secret })
          .execute()
        const event = { event_id: newId(), event_type: 'webhook.test', body: '{}' }
        await world.db
          .insertInto('market.webhook_deliveries')
          .values({ subscription_id: hook, ...event })
          .execute()
        const [delivery] = await leaseDeliveries(world.serviceDb, limits)
        if (!delivery) throw new Error('nothing is due')
        await sql`update market.webhook_deliveries set leased_until = '-infinity' where id = ${delivery.id}`.execute(
          world.db,
        )
        return { hook, delivery }
      },
      acts: {
        'its receipt': ({ delivery }) =>
          runIn(world, (tx) => recordAttempt(tx, world.settings, family, delivery, reply(200))),
        'an answer that the receiver is gone': ({ delivery }) =>
          runIn(world, (tx) => recordAttempt(tx, world.settings, family, delivery, reply(410))),
        'another worker that gets no answer': async () => {
          for (const delivery of await leaseDeliveries(world.serviceDb, limits))
            await runIn(world, (tx) => recordAttempt(tx, world.settings, family, delivery, reply(500)))
        },
        'its pause': ({ hook }) =>
          runIn(world, async (tx) => {
            const id = sql<boolean>`id = ${hook}`
            await transitionWebhooks(tx, id, 'pause', { actor: 'service', reason: 'owner' })
          }),
      },
    },
    () => watcher,
  )
})
