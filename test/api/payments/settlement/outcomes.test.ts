import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import { type Address, createPublicClient, type Hex, http } from 'viem'
import { requestIntent } from '../../../../api/payments/chain/intents.ts'
import { holdTerms } from '../../../../api/payments/escrow/terms.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import { followOutcomes } from '../../../../api/payments/settlement/outcomes.ts'
import type { EscrowMode } from '../../../../api/platform/db/generated/tables.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { chainSettings } from '../../../../cli/stack/services.ts'
import { escrowAbi } from '../../../../protocol/generated/escrow.ts'
import { payoutNonce } from '../../../../protocol/payments/nonces.ts'
import { fundedEvent, paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { authorizationsOf, eventsOf, intentsAbout, orderOf, payoutsOf } from '../../../kit/api/payments/escrow/read.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import {
  newTrade,
  PRICE,
  setState,
  startWorld,
  type Trade,
  type World,
} from '../../../kit/api/payments/escrow/world.ts'
import { startLiar } from '../../../kit/chain/liar.ts'
import { startChain, type TestChain } from '../../../kit/chain/node.ts'
import {
  freeAccount,
  mineBlocks,
  mined,
  mintUsdc,
  roleAccount,
  signTransfer,
  submitToToken,
} from '../../../kit/chain/payments.ts'

const MODES = ['contract', 'custodied'] as const

describe('what the facilitator gave up', () => {
  let chain: TestChain
  let world: World
  let services: JobServices
  let alarms: string[] = []
  const buyer = freeAccount(0)

  before(async () => {
    chain = await startChain()
    await mintUsdc(chain, buyer.address, 1_000_000_000n)
    world = await startWorld(chainSettings(chain))
    const write = (line: string) => {
      const { alarm, msg } = JSON.parse(line)
      if (alarm) alarms.push(msg)
    }
    services = { db: world.serviceDb, rpc: chain.client, settings: world.settings, log: pino({}, { write }) }
  })

  beforeEach(() => {
    alarms = []
  })

  after(async () => {
    await world?.stop()
    await chain?.stop()
  })

  const follow = () => followOutcomes(services)
  const signTo = ({ order }: Trade, to: string) =>
    signTransfer(chain, buyer, { to: to as Address, value: PRICE, nonce: order.nonce as Hex })

  /** Runs a statement past the triggers that refuse a change. */
  const pastGuards = (statement: RawBuilder<unknown>) =>
    world.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await statement.execute(tx)
    })
  /** An order whose authorization is with the facilitator. */
  const handedIn = async (mode: EscrowMode) => {
    const trade = await newTrade(world, mode, { from: buyer.address })
    const authorization = await signTo(trade, trade.order.recipient)
    const key = `${mode === 'contract' ? 'fund' : 'deposit'}:${trade.orderId}:1`
    const name = { key, orderId: trade.orderId }
    await world.run((tx) =>
      mode === 'contract'
        ? requestIntent(tx, name, { kind: 'fund', terms: holdTerms(trade.order), authorization })
        : requestIntent(tx, name, { kind: 'deposit', authorization }),
    )
    return { trade, key, authorization }
  }

  const giveUp = async (key: string, { attempt = 1, ageSeconds = 0, reason = 'reverted' } = {}) => {
    await sql`insert into facilitator.outcomes (intent_id, status, reason, decided_at)
      select id, 'failed', ${reason}, clock_timestamp() - make_interval(secs => ${ageSeconds})
      from market.intents where key = ${key} and attempt = ${attempt}`.execute(world.db)
  }
  const closingOf = async (key: string, attempt = 1) =>
    (await intentsAbout(world, key)).find((intent) => intent.key === key && intent.attempt === attempt)?.closing
  const authorization = async (trade: Trade) => (await authorizationsOf(world, trade))[0]?.state
  const failureOf = async ({ orderId }: Trade) => {
    const authorizations = world.db.selectFrom('market.authorizations').select('failure')
    return (await authorizations.where('order_id', '=', orderId).executeTakeFirst())?.failure
  }

  for (const mode of MODES) {
    test(`${mode}: an authorization that was not spent is dead, and the buyer may sign again`, async () => {
      const { trade, key } = await handedIn(mode)
      await giveUp(key, { reason: 'insufficient_balance' })
      await follow()
      expect(await closingOf(key)).to.equal('failed')
      expect(await authorization(trade)).to.equal('failed')
      expect(await failureOf(trade)).to.equal('insufficient_balance')
      expect(await eventsOf(world, trade)).to.include('order.payment_failed')
      expect((await orderOf(world, trade)).state).to.equal('placed')
      // Somebody takes it to the chain after all: it is the order's payment nevertheless.
      await world.settle(mode === 'contract' ? fundedEvent(world, trade) : paymentEvent(trade))
      expect((await orderOf(world, trade)).state).to.equal('funded')
    })

    test(`${mode}: one that was spent on something else is dead, once that is deep enough`, async () => {
      const { trade, key } = await handedIn(mode)
      await submitToToken(chain, await signTo(trade, freeAccount(3).address))
      await giveUp(key)
      await follow()
      expect(await authorization(trade)).to.equal('pending')
      await mineBlocks(chain, 3)
      await follow()
      expect(await authorization(trade)).to.equal('failed')
      expect(await failureOf(trade)).to.equal('authorization_used')
      expect(await closingOf(key)).to.equal('failed')
    })

    test(`${mode}: one that somebody took to the token first still pays its order`, async () => {
      const { trade, key, authorization: signed } = await handedIn(mode)
      await submitToToken(chain, signed)
      await mineBlocks(chain, 3)
      await giveUp(key)
      await follow()
      expect(await closingOf(key)).to.equal(null)
      await world.settle(paymentEvent(trade))
      await follow()
      expect(await authorization(trade)).to.equal(mode === 'contract' ? 'pending' : 'settled')
      if (mode === 'contract') await world.settle({ ...fundedEvent(world, trade), adopted: true })
      expect((await orderOf(world, trade)).state).to.equal('funded')
      expect(await authorization(trade)).to.equal('settled')
    })
  }

  /**
   * A worker that has read what is to be followed up, and acts on it only when told: what it read may be long
   * over.
   */
  const lateFollower = () => {
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: hasRead, resolve: reads } = Promise.withResolvers<void>()
    const onRequest = async () => {
      reads()
      await mayGoOn
    }
    const rpc = createPublicClient({ transport: http(chain.rpcUrl, { onFetchRequest: onRequest }) })
    const ended = followOutcomes({ ...services, rpc })
    const end = () => {
      goOn()
      return ended
    }
    return { hasRead, end }
  }

  test('what two workers follow up at once happens once', async () => {
    const { trade, key } = await handedIn('custodied')
    await giveUp(key)
    const late = lateFollower()
    await late.hasRead
    await Promise.all([follow(), follow()])
    await late.end()
    const events = await eventsOf(world, trade)
    expect(events.filter((type) => type === 'order.payment_failed')).to.have.length(1)
    expect(alarms).to.deep.equal([])
  })

  test('a worker that is late does not give up the payout’s next attempt', async () => {
    const trade = await newTrade(world, 'custodied', { from: buyer.address })
    await world.settle(paymentEvent(trade))
    await setState(world, trade, 'accepted')
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
    const payout = async () => (await payoutsOf(world, trade.payer)).find(({ order_id }) => order_id === trade.orderId)
    const id = (await payout())?.id ?? ''
    const submit = () => world.run((tx) => submitPayout(tx, world.settings, id))
    await submit()
    await giveUp(`payout:${id}`)
    const late = lateFollower()
    await late.hasRead
    await follow()
    await submit()
    await late.end()
    expect(await payout()).to.include({ state: 'submitted', attempt: 2 })
    expect(await closingOf(`payout:${id}`, 2)).to.equal(null)
    expect(alarms).to.deep.equal([])
  })

  test('one that is said to be done is believed of the chain alone, whoever says it', async () => {
    const { trade, key } = await handedIn('contract')
    const say = (ageSeconds: number) =>
      pastGuards(
        sql`insert into facilitator.outcomes (intent_id, status, decided_at)
          select id, 'confirmed', clock_timestamp() - make_interval(secs => ${ageSeconds}) from market.intents where key = ${key}
          on conflict (intent_id) do update set decided_at = excluded.decided_at`,
      )
    await say(0)
    await follow()
    expect(await closingOf(key)).to.equal(null)
    await say(601)
    await follow()
    expect(await closingOf(key)).to.equal('failed')
    expect(await failureOf(trade)).to.equal('not_on_chain')
  })

  test('what the login of the facilitator says for ever, or without a reason, is followed up all the same, and books nothing [risk market-facilitator]', async () => {
    const trade = await newTrade(world, 'custodied', { from: buyer.address })
    await world.settle(paymentEvent(trade))
    await setState(world, trade, 'accepted')
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
    const payout = async () => (await payoutsOf(world, trade.payer)).find(({ order_id }) => order_id === trade.orderId)
    const id = (await payout())?.id ?? ''
    await world.run((tx) => submitPayout(tx, world.settings, id))
    const asFacilitator = (statement: RawBuilder<unknown>) =>
      world.db.transaction().execute(async (tx) => {
        await sql`set local role market_facilitator`.execute(tx)
        await statement.execute(tx)
      })
    const { rows } = await sql<{ id: string }>`select id from market.intents where key = ${`payout:${id}`}`.execute(
      world.db,
    )
    const intentId = rows[0]?.id
    const forEver = asFacilitator(
      sql`insert into facilitator.outcomes (intent_id, status, decided_at) values (${intentId}, 'confirmed', 'infinity')`,
    )
    expect(await forEver.catch((error: unknown) => error)).to.include({ code: '42501' })
    await asFacilitator(sql`insert into facilitator.outcomes (intent_id, status) values (${intentId}, 'failed')`)
    await follow()
    expect(await payout()).to.include({ state: 'pending', attempt: 2, reason: 'failed' })
    expect(alarms).to.deep.equal([])
  })

  describe('an adoption', () => {
    const resolver = () => roleAccount(chain, 'resolver')
    const announce = async (trade: Trade) => {
      const call = {
        address: chain.escrow,
        abi: escrowAbi,
        functionName: 'announceAdopt',
        account: resolver(),
      } as const
      const args = [holdTerms(trade.order), buyer.address] as const
      await mined(chain, chain.client.writeContract({ ...call, args }))
    }
    const cancelAnnouncement = async ({ order }: Trade) => {
      const call = { address: chain.escrow, abi: escrowAbi, functionName: 'cancelStray' } as const
      const args = [buyer.address, order.nonce as Hex] as const
      await mined(chain, chain.client.writeContract({ ...call, account: roleAccount(chain, 'deployer'), args }))
    }
    /** An order whose payment was taken to the token, and is to be adopted. */
    const adopting = async () => {
      const { trade, key: fund, authorization: signed } = await handedIn('contract')
      await submitToToken(chain, signed)
      await mineBlocks(chain, 3)
      await world.settle(paymentEvent(trade))
      await giveUp(fund)
      await follow()
      return { trade, key: `adopt:${trade.payer}:${trade.order.nonce}` }
    }

    test('that is announced no more has ended: its payment is returned, and the order can be paid otherwise', async () => {
      const { trade, key } = await adopting()
      await announce(trade)
      await cancelAnnouncement(trade)
      await giveUp(key)
      await follow()
      expect(await closingOf(key)).to.equal('failed')
      expect(await authorization(trade)).to.equal('failed')
      const back = `return_stray:payment:${trade.payer}:${trade.order.nonce}`
      expect((await intentsAbout(world, back))[0]).to.containSubset({
        kind: 'return_stray',
        closing: null,
        payload: { payment: { from: trade.payer, nonce: trade.order.nonce, amount: `${PRICE}` } },
      })
      expect((await orderOf(world, trade)).state).to.equal('placed')
      await follow()
      expect(alarms).to.deep.equal([])
    })

    test('that still is announced is asked for again, with an alarm', async () => {
      const { trade, key } = await adopting()
      await announce(trade)
      await giveUp(key, { ageSeconds: 10 })
      await follow()
      expect(await closingOf(key)).to.equal('failed')
      expect(await closingOf(key, 2)).to.equal(null)
      expect(await authorization(trade)).to.equal('pending')
      expect(alarms).to.deep.equal(['intent failed, retrying'])
    })

    test('that is past its expiry by the clock of the database alone is asked for again', async () => {
      const { trade, key } = await adopting()
      await announce(trade)
      const shift = (days: number) =>
        sql`update sandbox.clock set shift = shift + make_interval(days => ${days})`.execute(world.db)
      await shift(400)
      await giveUp(key, { ageSeconds: 10 })
      await follow()
      await shift(-400)
      expect(await closingOf(key, 2)).to.equal(null)
      expect(await authorization(trade)).to.equal('pending')
    })
  })

  test('one that is spent, by what the node does not show, is neither dead nor settled [risk hidden-logs]', async () => {
    const { trade, key, authorization: signed } = await handedIn('custodied')
    await submitToToken(chain, signed)
    await mineBlocks(chain, 3)
    await giveUp(key)
    const hiding = await startLiar(chain)
    hiding.hideLogs()
    await followOutcomes({ ...services, rpc: hiding.client })
    hiding.stop()
    expect(await authorization(trade)).to.equal('pending')
    expect(await closingOf(key)).to.equal(null)
    expect(alarms).to.deep.equal(['item failed'])
    await world.settle(paymentEvent(trade))
    await follow()
    expect(await authorization(trade)).to.equal('settled')
  })

  test('one that was spent before there was anything of ours is dead [risk spent-before-start]', async () => {
    const { trade, key, authorization: signed } = await handedIn('custodied')
    const { blockNumber } = await submitToToken(chain, signed)
    await mineBlocks(chain, 3)
    await giveUp(key)
    const { settings } = world
    const later = { ...settings, chain: { ...settings.chain, startBlock: blockNumber + 1n } }
    await followOutcomes({ ...services, settings: later })
    expect(await authorization(trade)).to.equal('failed')
    expect(await closingOf(key)).to.equal('failed')
    expect(alarms).to.deep.equal([])
  })

  test('a payout is tried again, unless the token says that it was paid', async () => {
    const trade = await newTrade(world, 'custodied', { from: buyer.address })
    const deposit = paymentEvent(trade)
    await world.settle(deposit)
    await setState(world, trade, 'accepted')
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
    const payout = async () => (await payoutsOf(world, trade.payer)).find(({ order_id }) => order_id === trade.orderId)
    const id = (await payout())?.id ?? ''
    const submit = () => world.run((tx) => submitPayout(tx, world.settings, id))
    await submit()
    await giveUp(`payout:${id}`)
    await follow()
    expect(await payout()).to.include({ state: 'pending', attempt: 2, reason: 'failed: reverted' })
    await submit()
    const hotWallet = roleAccount(chain, 'hotWallet')
    await mintUsdc(chain, hotWallet.address, PRICE)
    const nonce = payoutNonce(world.settings.chain, deposit, 'payee')
    await submitToToken(
      chain,
      await signTransfer(chain, hotWallet, { to: freeAccount(4).address, value: 19_000_000n, nonce }),
    )
    await giveUp(`payout:${id}`, { attempt: 2 })
    await follow()
    expect(await payout()).to.include({ state: 'submitted', attempt: 2 })
  })

  test('a release is asked for again while the hold is there, after a pause, with an alarm', async () => {
    const { trade, authorization: signed } = await handedIn('contract')
    const terms = holdTerms(trade.order)
    const { from, validAfter, validBefore, signature } = signed
    const escrow = { address: chain.escrow, abi: escrowAbi } as const
    const submitter = roleAccount(chain, 'submitter')
    const args = [terms, from, validAfter, validBefore, signature] as const
    await mined(chain, chain.client.writeContract({ ...escrow, account: submitter, functionName: 'fund', args }))
    await world.settle(fundedEvent(world, trade))
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
    const key = `release:${trade.orderId}`
    await giveUp(key)
    await follow()
    expect(await closingOf(key)).to.equal(null)
    await pastGuards(sql`update facilitator.outcomes set decided_at = decided_at - interval '10 seconds'`)
    await follow()
    expect(await closingOf(key)).to.equal('failed')
    expect(await closingOf(key, 2)).to.equal(null)
    expect(alarms).to.deep.equal(['intent failed, retrying'])
    await mined(
      chain,
      chain.client.writeContract({ ...escrow, account: buyer, functionName: 'releaseByPayer', args: [terms] }),
    )
    await giveUp(key, { attempt: 2, ageSeconds: 3600 })
    await follow()
    expect(await closingOf(key, 2)).to.equal(null)
    expect(await closingOf(key, 3)).to.equal(undefined)
  })
})
