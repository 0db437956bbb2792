import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import type { PublicClient } from 'viem'
import { submitPayouts } from '../../../../api/payments/payouts/submitPending.ts'
import { followOutcomes } from '../../../../api/payments/settlement/outcomes.ts'
import type { EscrowMode } from '../../../../api/platform/db/generated/tables.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { acceptUndecided } from '../../../../api/trading/orders/work/accept.ts'
import { announceDeliveries } from '../../../../api/trading/orders/work/announceDeliveries.ts'
import { distributionOf, legOf } from '../../../../facilitator/proof/distribution.ts'
import { type IntentPayload, intentPayload } from '../../../../protocol/payments/intents.ts'
import { fundedEvent, paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import {
  newAddress,
  newTrade,
  setState,
  startWorld,
  type Trade,
  type TradeOptions,
  type World,
} from '../../../kit/api/payments/escrow/world.ts'

describe('what a delivery will pay if its buyer does not object', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    const log = pino({ level: 'silent' })
    services = { db: world.serviceDb, rpc: {} as PublicClient, settings: world.settings, log }
  })

  after(() => world?.stop())

  const delivered = async (mode: EscrowMode, options: TradeOptions = {}): Promise<Trade> => {
    const trade = await newTrade(world, mode, options)
    await world.settle(mode === 'contract' ? fundedEvent(world, trade) : paymentEvent(trade))
    await setState(world, trade, 'delivered')
    return trade
  }
  const intentsOf = async ({ orderId }: Trade, kind: string): Promise<IntentPayload[]> => {
    const rows = world.db.selectFrom('market.intents').select('payload').where('order_id', '=', orderId)
    const found = await rows
      .where('kind', '=', kind as 'sight')
      .orderBy('id')
      .execute()
    return found.map(({ payload }) => intentPayload.parse(payload))
  }
  /** What the facilitator knows a distribution by. */
  const subjectOf = (intent: IntentPayload | undefined): string => {
    const at = { ...world.settings.chain, startBlock: 0n }
    const asked = intent?.kind === 'sight' ? intent.distribution : intent
    if (asked?.kind === 'release') return distributionOf(at, asked).subject
    if (asked?.kind === 'payout') return legOf(at, asked).subject
    throw new Error('it distributes nothing')
  }
  const announced = async (trade: Trade) => {
    await announceDeliveries(services)
    return (await intentsOf(trade, 'sight')).map(subjectOf)
  }
  const requested = async (trade: Trade) => {
    const due = { accept_by: new Date(0) }
    await world.db.updateTable('market.orders').set(due).where('id', '=', trade.orderId).execute()
    await world.run((tx) => acceptUndecided(tx, world.settings, trade.orderId))
    await submitPayouts(services)
    const [release] = [...(await intentsOf(trade, 'release')), ...(await intentsOf(trade, 'payout'))]
    return subjectOf(release)
  }
  const bind = async ({ seller }: Trade, payoutFrom: string) => {
    const address = newAddress()
    await world.db.insertInto('market.wallet_owners').values({ address, owner_id: seller.humanId }).execute()
    await sql`insert into market.wallets (id, account_id, owner_id, address, message, signature, payout_from)
      values (${randomUUID()}, ${seller.agentId}, ${seller.humanId}, ${address}, 'I am', '0x01',
        market.now() + ${payoutFrom}::interval)`.execute(world.db)
    return address
  }

  for (const mode of ['contract', 'custodied'] as const)
    it(`${mode}: is announced once, also after another delivery, as it is requested later`, async () => {
      const trade = await delivered(mode)
      const [subject, ...others] = await announced(trade)
      expect(others).to.deep.equal([])
      await setState(world, trade, 'rejected')
      await setState(world, trade, 'delivered')
      expect(await announced(trade)).to.deep.equal([subject])
      expect(await requested(trade)).to.equal(subject)
    })

  it('is announced for each order once by two workers at once', async () => {
    const trades = await Promise.all([delivered('contract'), delivered('custodied'), delivered('custodied')])
    await Promise.all([announceDeliveries(services), announceDeliveries(services), announceDeliveries(services)])
    for (const trade of trades) expect(await intentsOf(trade, 'sight')).to.have.length(1)
  })

  it('is not announced before the delivery', async () => {
    const trade = await delivered('contract')
    await setState(world, trade, 'funded')
    expect(await announced(trade)).to.deep.equal([])
  })

  it('is announced for a wallet once there is one, and for the one that will replace it', async () => {
    const trade = await delivered('custodied', { sellerWallet: false })
    expect(await announced(trade)).to.deep.equal([])
    await bind(trade, '-1 minute')
    const [first] = await announced(trade)
    await bind(trade, '48 hours')
    const [, second, ...others] = await announced(trade)
    expect(others).to.deep.equal([])
    await sql`update sandbox.clock set shift = shift + interval '49 hours'`.execute(world.db)
    expect(await announced(trade)).to.have.length(2)
    expect(first).not.to.equal(second)
    expect(await requested(trade)).to.equal(second)
  })

  it('is closed once the facilitator has recorded it, and never followed up', async () => {
    const trade = await delivered('contract')
    await announced(trade)
    await sql`insert into facilitator.outcomes (intent_id, status, decided_at)
      select id, 'confirmed', now() - interval '1 day' from market.intents where order_id = ${trade.orderId} and kind = 'sight'`.execute(
      world.db,
    )
    await followOutcomes(services)
    const closing = world.db.selectFrom('market.intents').select(['closing', 'attempt'])
    expect(await closing.where('order_id', '=', trade.orderId).where('kind', '=', 'sight').execute()).to.deep.equal([
      { closing: 'settled', attempt: 1 },
    ])
  })
})
