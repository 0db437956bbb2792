import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { PublicClient } from 'viem'
import type { ActorSession, CallContext } from '../../../../../api/context.ts'
import { challengeWallet } from '../../../../../api/identity/wallets/challengeWallet.ts'
import { verifyWallet } from '../../../../../api/identity/wallets/verifyWallet.ts'
import { submitPayouts } from '../../../../../api/payments/payouts/submitPending.ts'
import type { JobServices } from '../../../../../api/platform/jobs/services.ts'
import { accepted, onlyPayout } from '../../../../kit/api/payments/escrow/custody/trades.ts'
import { newAddress, type Party, startWorld, type World } from '../../../../kit/api/payments/escrow/world.ts'

const DELAY_SECONDS = 48 * 3_600

describe('the first wallet of a seller for whom money waits', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    const log = pino({ level: 'silent' })
    services = { db: world.serviceDb, rpc: {} as PublicClient, settings: world.settings, log }
  })

  after(() => world?.stop())

  /** Binds a wallet as a caller outside a sandbox does who has signed the challenge. */
  const verify = async ({ call }: Party, session: ActorSession | null = null) => {
    const caller: CallContext = {
      ...call,
      actor: { ...call.actor, session },
      settings: { ...world.settings, sandbox: false },
    }
    const address = newAddress()
    const wallet = await world.run(async (tx) => {
      await challengeWallet(tx, caller, address)
      const challenge = await tx
        .selectFrom('market.wallet_challenges')
        .select(['id', 'message'])
        .where('address', '=', address)
        .executeTakeFirstOrThrow()
      return verifyWallet(tx, caller, address, { ...challenge, signature: '0x01' })
    })
    return { address, wallet }
  }
  const chosenEvents = async ({ agentId, humanId }: Party) => {
    const events = world.db.selectFrom('market.events').select(['payload', 'visible_to'])
    const rows = await events.where('event_type', '=', 'payout.wallet_chosen').execute()
    return rows.filter(({ visible_to }) => visible_to.includes(agentId) && visible_to.includes(humanId))
  }
  const pass = (seconds: number) =>
    sql`update sandbox.clock set shift = shift + make_interval(secs => ${seconds})`.execute(world.db)

  test('counts after the delay of a replacement where a token alone binds it, and the owner is told at once', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const { address, wallet } = await verify(trade.seller)
    expect(wallet.is_payout).to.equal(false)
    expect(await chosenEvents(trade.seller)).to.have.length(1)
    await submitPayouts(services)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
    await pass(DELAY_SECONDS - 60)
    await submitPayouts(services)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
    await pass(120)
    await submitPayouts(services)
    expect(await onlyPayout(world, trade.payer)).to.include({ state: 'submitted', to_address: address })
  })

  test('counts at once with a fresh passkey, and the owner is told', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const { wallet } = await verify(trade.seller, { isFresh: true })
    expect(wallet.is_payout).to.equal(true)
    expect(await chosenEvents(trade.seller)).to.have.length(1)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('pending')
  })

  test('waits in a session whose passkey is not fresh', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    expect((await verify(trade.seller, { isFresh: false })).wallet.is_payout).to.equal(false)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
  })

  test('counts at once where nothing waits', async () => {
    const { trade } = await accepted(world)
    const { wallet } = await verify(trade.buyer)
    expect(wallet.is_payout).to.equal(true)
    expect(await chosenEvents(trade.buyer)).to.have.length(0)
  })
})
