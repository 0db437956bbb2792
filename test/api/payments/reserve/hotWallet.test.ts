import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Address } from 'viem'
import type { Settings } from '../../../../api/context.ts'
import { readMetrics } from '../../../../api/metrics/gauges.ts'
import type { OutflowEvent } from '../../../../api/payments/chain/evidence.ts'
import { Progress } from '../../../../api/payments/chain/progress.ts'
import { submitPayouts } from '../../../../api/payments/payouts/submitPending.ts'
import { findHotWallet } from '../../../../api/payments/reserve/internal/find.ts'
import { watchHotWallet } from '../../../../api/payments/reserve/watchHotWallet.ts'
import { applyChainEvent } from '../../../../api/payments/settlement/internal/applyChainEvent.ts'
import { reverseEvent } from '../../../../api/payments/settlement/internal/reorgReversal.ts'
import { followOutcomes } from '../../../../api/payments/settlement/outcomes.ts'
import { OPERATORS } from '../../../../api/platform/events/visibility.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { chainSettings } from '../../../../cli/stack/services.ts'
import { sweepNonce } from '../../../../protocol/payments/nonces.ts'
import { paymentEvent, place } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { balance, intentsAbout } from '../../../kit/api/payments/escrow/read.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import {
  newAddress,
  newTrade,
  PRICE,
  setState,
  startWorld,
  type World,
} from '../../../kit/api/payments/escrow/world.ts'
import { startChain, type TestChain } from '../../../kit/chain/node.ts'
import { mineBlocks, mintUsdc } from '../../../kit/chain/payments.ts'

const CEILING = 100_000_000n
const NET = 19_000_000n

describe('the hot wallet between its floor and its ceiling', () => {
  let chain: TestChain
  let world: World
  let settings: Settings
  let services: JobServices
  let alarms: string[] = []
  let hotWallet: Address
  const coldWallet = newAddress()

  before(async () => {
    chain = await startChain()
    hotWallet = chain.accounts.hotWallet.address
  })

  beforeEach(async () => {
    await world?.stop()
    world = await startWorld(chainSettings(chain))
    const rules = { ...world.settings.rules, hotWalletFloorMicros: 0n }
    settings = { ...world.settings, rules, reserve: { coldWallet, ceilingMicros: CEILING } }
    alarms = []
    const write = (line: string) => {
      const { alarm, msg } = JSON.parse(line)
      if (alarm) alarms.push(msg)
    }
    services = { db: world.serviceDb, rpc: chain.client, settings, log: pino({}, { write }) }
  })

  after(async () => {
    await world?.stop()
    await chain?.stop()
  })

  const watch = (progress = new Progress()) => watchHotWallet(services, progress)
  const settle = (event: Parameters<typeof applyChainEvent>[2]) =>
    world.run((tx) => applyChainEvent(tx, settings, event))
  const read = () => world.run((tx) => findHotWallet(tx, settings))
  const sweeps = async () =>
    (await intentsAbout(world, 'sweep:')).map(({ key, attempt, payload, closing }) => [
      `${key}#${attempt}`,
      payload.amount,
      closing,
    ])
  const swept = (amountMicros: bigint, sequence = 1n, to = coldWallet): OutflowEvent => {
    return { kind: 'outflow', place: place(), to, amountMicros, nonce: sweepNonce(settings.chain, sequence) }
  }
  /** Has the hot wallet hold so much, deep enough. */
  const holds = async (micros: bigint) => {
    const slot = await chain.client.readContract({
      address: chain.token,
      abi: [
        {
          type: 'function',
          name: 'balanceOf',
          stateMutability: 'view',
          inputs: [{ type: 'address' }],
          outputs: [{ type: 'uint256' }],
        },
      ],
      functionName: 'balanceOf',
      args: [hotWallet],
    })
    if (micros > slot) await mintUsdc(chain, hotWallet, micros - slot)
    await mineBlocks(chain, 3)
  }
  /** A custodied order that was accepted: its seller is owed 19. */
  const owed = async () => {
    const trade = await newTrade(world, 'custodied')
    await world.settle(paymentEvent(trade))
    await setState(world, trade, 'accepted')
    await world.run((tx) => release(tx, settings, trade.orderId, { refundMicros: 0n }))
    return trade
  }

  test('what is beyond the ceiling is asked for once, without what is to be paid out, and booked as ours', async () => {
    await holds(3n * CEILING)
    for (let count = 0; count < 6; count++) await owed()
    await Promise.all([watch(), watch(), watch()])
    await watch()
    // 6 × 19 are due, more than the ceiling.
    const surplus = 3n * CEILING - 6n * NET
    expect(await sweeps()).to.deep.equal([['sweep:1#1', surplus.toString(), null]])
    const owedBefore = await balance(world, 'hot_wallet', hotWallet)
    await settle(swept(surplus))
    expect(await settle(swept(surplus))).to.equal(false)
    expect(await sweeps()).to.deep.equal([['sweep:1#1', surplus.toString(), 'settled']])
    expect(await balance(world, 'cold_wallet', coldWallet)).to.equal(-surplus)
    expect(await balance(world, 'hot_wallet', hotWallet)).to.equal((owedBefore ?? 0n) + surplus)
    expect((await read()).cold_balance).to.equal('186.000000')
    await watch()
    expect((await sweeps()).map(([key]) => key)).to.deep.equal(['sweep:1#1', 'sweep:2#1'])
  })

  test('little more than the ceiling is not worth a transaction, and without a cold wallet nothing is swept', async () => {
    await holds(3n * CEILING)
    services = { ...services, settings: { ...settings, reserve: { coldWallet, ceilingMicros: 3n * CEILING - 1n } } }
    await watch()
    services = { ...services, settings: { ...settings, reserve: undefined } }
    await watch()
    expect(await sweeps()).to.deep.equal([])
  })

  test('one that was given up is asked for again under its number, later, with what is beyond then', async () => {
    await holds(3n * CEILING)
    await watch()
    await sql`insert into facilitator.outcomes (intent_id, status, reason)
      select id, 'refused', 'no_surplus' from market.intents where key = 'sweep:1' and attempt = 1`.execute(world.db)
    await followOutcomes(services)
    await watch()
    expect((await sweeps()).map(([key, , closing]) => [key, closing])).to.deep.equal([['sweep:1#1', 'failed']])
    await sql`update sandbox.clock set shift = shift + interval '10 seconds'`.execute(world.db)
    await owed()
    await watch()
    expect((await sweeps()).at(-1)).to.deep.equal(['sweep:1#2', (2n * CEILING).toString(), null])
  })

  test('one that this copy of the database does not know is booked; one to somebody else is a theft', async () => {
    await settle(swept(5n, 3n))
    expect(await balance(world, 'cold_wallet', coldWallet)).to.equal(-5n)
    const theft = settle(swept(5n, 4n, newAddress())).then(
      () => 'booked',
      ({ name, message }) => `${name}: ${message}`,
    )
    expect(await theft).to.contain('no deposit explains it')
    await holds(3n * CEILING)
    await watch()
    expect((await sweeps()).map(([key]) => key)).to.deep.equal(['sweep:4#1'])
  })

  test('one that the chain took back is asked for again, as it was; it counts once, whichever comes', async () => {
    await holds(3n * CEILING)
    for (const sequence of [1n, 2n]) await settle(swept(CEILING, sequence))
    const taken = [1n, 2n].map((sequence) => `outflow:${sweepNonce(settings.chain, sequence)}`)
    for (const key of taken) await world.run((tx) => reverseEvent(tx, settings, key))
    expect(await balance(world, 'cold_wallet', coldWallet)).to.equal(0n)
    await sql`update sandbox.clock set shift = shift + interval '10 seconds'`.execute(world.db)
    await watch()
    // One in flight is waited for, however long it takes.
    await sql`update sandbox.clock set shift = shift + interval '1 day'`.execute(world.db)
    await watch()
    // More is beyond the ceiling, but the first may be mined again, under the same number.
    expect(await sweeps()).to.deep.equal([['sweep:1#2', `${CEILING}`, null]])
    await settle(swept(CEILING, 1n))
    expect(await sweeps()).to.deep.equal([['sweep:1#2', `${CEILING}`, 'settled']])
    services = { ...services, settings: { ...settings, reserve: { coldWallet, ceilingMicros: 2n * CEILING + 1n } } }
    await watch()
    expect(await sweeps(), 'there is less beyond it than was swept').to.have.length(1)
    await settle(swept(CEILING, 2n))
    expect(await settle(swept(CEILING, 2n))).to.equal(false)
    expect(await balance(world, 'cold_wallet', coldWallet)).to.equal(-2n * CEILING)
    const rows = await world.db.selectFrom('market.sweeps').select('state').execute()
    expect(rows).to.deep.equal([{ state: 'confirmed' }, { state: 'confirmed' }])
  })

  test('what comes back from the cold wallet is no stray, as far as it was ever sent there', async () => {
    await settle(swept(50n))
    const back = (amountMicros: bigint) =>
      settle({
        kind: 'transfer',
        place: place(),
        from: coldWallet,
        to: hotWallet.toLowerCase() as Address,
        amountMicros,
      })
    await back(30n)
    expect(await balance(world, 'cold_wallet', coldWallet)).to.equal(-20n)
    expect(await world.db.selectFrom('market.unmatched_payments').select('key').execute()).to.deep.equal([])
    await back(30n)
    expect(await balance(world, 'cold_wallet', coldWallet)).to.equal(-20n)
    expect(await world.db.selectFrom('market.unmatched_payments').select('status').execute()).to.deep.equal([
      { status: 'suspense' },
    ])
  })

  test('what was swept and comes back in one pass is no stray either', async () => {
    const [from, to] = [coldWallet, hotWallet.toLowerCase() as Address]
    const back = { kind: 'transfer', place: place(), from, to, amountMicros: 30n } as const
    for (const event of [swept(50n), back]) await world.run((tx) => applyChainEvent(tx, settings, event))
    expect(await balance(world, 'cold_wallet', coldWallet)).to.equal(-20n)
    expect(await world.db.selectFrom('market.unmatched_payments').select('key').execute()).to.deep.equal([])
  })

  test('below the floor operators are told once, an alarm is raised, and everybody can read it', async () => {
    await holds(3n * CEILING)
    await owed()
    const told = async () => {
      const { rows } = await sql<{ event_type: string }>`select event_type from market.events
        where event_type like 'hot_wallet.%' and visible_to = ${[OPERATORS]}::uuid[]
        order by id`.execute(world.db)
      return rows.map(({ event_type }) => event_type)
    }
    expect((await read()).observed).to.equal(null)
    const measured = async () => (await readMetrics(world.db)).match(/^market_hot_wallet\S* \d+$/gm)
    expect(await measured()).to.equal(null)
    settings.rules.hotWalletFloorMicros = 3n * CEILING + 1n
    const progress = new Progress()
    await watch(progress)
    await watch(progress)
    expect(alarms).to.deep.equal(['the hot wallet is below its floor'])
    expect(await told()).to.deep.equal(['hot_wallet.below_floor'])
    expect(await measured()).to.deep.equal([
      'market_hot_wallet_micros 300000000',
      'market_hot_wallet_due_micros 19000000',
      'market_hot_wallet_below_floor 1',
    ])
    const { observed, floor } = await read()
    expect(floor).to.equal('300.000001')
    expect(observed?.balance).to.equal('300.000000')
    expect(observed?.below_floor_since).to.be.a('string')
    settings.rules.hotWalletFloorMicros = 3n * CEILING
    await watch(progress)
    expect(await told()).to.deep.equal(['hot_wallet.below_floor', 'hot_wallet.above_floor'])
    expect((await read()).observed?.below_floor_since).to.equal(null)
    expect(await measured()).to.include('market_hot_wallet_below_floor 0')
  })

  test('sellers are sent no more than a day may see, in their order; refunds go out all the same', async () => {
    settings.rules.dailyPayoutMicros = 2n * NET + 1n
    for (let count = 0; count < 3; count++) await owed()
    const cancelled = await newTrade(world, 'custodied')
    await world.settle(paymentEvent(cancelled))
    await setState(world, cancelled, 'cancelled')
    await world.run((tx) => release(tx, settings, cancelled.orderId, { refundMicros: PRICE }))
    const states = async () =>
      (await world.db.selectFrom('market.payouts').select(['leg', 'state']).orderBy('id').execute()).map(
        ({ leg, state }) => `${leg} ${state}`,
      )
    await submitPayouts(services)
    const limited = ['payee submitted', 'payee submitted', 'payee pending', 'payer submitted']
    expect(await states()).to.deep.equal(limited)
    await submitPayouts(services)
    expect(await states()).to.deep.equal(limited)
    await sql`update sandbox.clock set shift = shift + interval '24 hours'`.execute(world.db)
    await submitPayouts(services)
    expect(await states()).to.deep.equal(limited.map((state) => state.replace('pending', 'submitted')))
  })

  test('rows that a stolen login added neither use up a day of the sellers nor hold up their payouts [risk market-api]', async () => {
    settings.rules.dailyPayoutMicros = 2n * NET
    const most = '9223372036854775807'
    /** Payouts of no order, whose ids come before every one of ours. */
    const addRows = (first: number, count: number, row: string) =>
      sql`
        with deposit as (
          insert into market.deposits (payer, nonce, amount_micros, tx_hash, payee_payout_nonce, payer_payout_nonce)
          select 'x', number::text, 1, 'x', 'payee ' || number, 'payer ' || number
          from generate_series(${first}::int, ${first + count - 1}::int) number returning nonce)
        insert into market.payouts (id, leg, deposit_from, deposit_nonce, nonce, state, submitted_at, amount_micros)
        select ('00000000-0000-0000-0000-' || lpad(nonce, 12, '0'))::uuid, 'payee', 'x', nonce, nonce, ${sql.raw(row)}
        from deposit`.execute(world.db)
    await addRows(1, 120, `'pending', null, ${2n * NET}`)
    await addRows(201, 120, `'pending', null, ${most}`)
    await addRows(401, 2, `'submitted', 'infinity', ${2n * NET}`)
    await addRows(501, 2, `'submitted', market.now(), ${most}`)
    const { orderId } = await owed()
    await submitPayouts(services)
    const { state } = await world.db
      .selectFrom('market.payouts')
      .select('state')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(state).to.equal('submitted')
  })
})
