import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import {
  closeFundingIntents,
  closeIntent,
  type IntentName,
  repeatIntent,
  requestIntent,
  retryIntent,
  voidIntents,
} from '../../../../api/payments/chain/intents.ts'
import { inTrace } from '../../../../protocol/telemetry/trace.ts'
import { intentsAbout } from '../../../kit/api/payments/escrow/read.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'

describe('an intent', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world.stop())

  const sweep = (amount: bigint) => ({ kind: 'sweep', sequence: 1n, amount }) as const
  const request = (name: IntentName, amount: bigint) => world.run((tx) => requestIntent(tx, name, sweep(amount)))
  const filed = async (key: string) =>
    (await intentsAbout(world, key)).map(({ attempt, payload, closing }) => [attempt, payload.amount, closing])
  const failure = (given: Promise<unknown>) =>
    given.then(
      () => 'none',
      (error: Error) => error.message,
    )

  it('is requested once: the same changes nothing, and another content, order or kind under its key raises', async () => {
    const name = { key: 'once', orderId: null }
    await request(name, 1n)
    await request(name, 1n)
    expect(await failure(request(name, 2n))).to.contain('attempt 1 of once')
    expect(await failure(request({ ...name, orderId: randomUUID() }, 1n))).to.contain('attempt 1 of once')
    await world.run((tx) => closeIntent(tx, 'once', 'voided'))
    expect(await failure(request(name, 2n))).to.contain('attempt 1 of once')
    await request(name, 1n)
    expect(await filed('once')).to.deep.equal([[1, '1', 'voided']])
  })

  it('has attempts, each with a content of its own, and is closed with all that are open', async () => {
    for (const attempt of [1, 2, 3]) await request({ key: 'again', attempt, orderId: null }, BigInt(attempt))
    expect(await failure(request({ key: 'again', attempt: 2, orderId: null }, 1n))).to.contain('attempt 2 of again')
    await world.run((tx) => closeIntent(tx, 'again', 'settled'))
    await request({ key: 'again and more', orderId: null }, 9n)
    await world.run((tx) => repeatIntent(tx, 'again'))
    await world.run((tx) => repeatIntent(tx, 'again'))
    expect((await filed('again')).filter(([, amount]) => amount !== '9')).to.deep.equal([
      [1, '1', 'settled'],
      [2, '2', 'settled'],
      [3, '3', 'settled'],
      [4, '3', null],
    ])
  })

  it('has the trace of what requested it, at each attempt, outside of its content', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const name = { key: 'traced', orderId: null }
    await inTrace(traceparent, () => request(name, 1n))
    // Another trace is no other content.
    await inTrace(null, () => request(name, 1n))
    await world.run((tx) => closeIntent(tx, 'traced', 'settled'))
    await world.run((tx) => repeatIntent(tx, 'traced'))
    const read = world.db
      .selectFrom('market.intents')
      .select(['id', 'payload', 'traceparent'])
      .where('key', '=', 'traced')
    const rows = await read.orderBy('attempt').execute()
    expect(rows.map((row) => row.traceparent)).to.deep.equal([traceparent, traceparent])
    expect(JSON.stringify(rows.map(({ payload }) => payload))).to.not.include('4bf92f3577b34da6')
    await world.run((tx) => retryIntent(tx, rows[1]?.id ?? ''))
    expect((await read.orderBy('attempt').execute()).map((row) => row.traceparent)).to.deep.equal([
      traceparent,
      traceparent,
      traceparent,
    ])
  })

  it('of an order is closed with it, unless it pays out: what is owed for a deposit stays owed', async () => {
    const [ended, other] = [randomUUID(), randomUUID()]
    const kinds = ['fund', 'deposit', 'adopt', 'release', 'payout', 'return_stray', 'sight'] as const
    const openOf = async (orderId: string) => {
      const open = world.db.selectFrom('market.intents').select('kind').where('order_id', '=', orderId)
      return (await open.where('closed_at', 'is', null).execute()).map(({ kind }) => kind)
    }
    for (const orderId of [ended, other])
      for (const kind of kinds) {
        const row = { id: randomUUID(), key: `${kind}:${orderId}`, kind, order_id: orderId, payload: '{}' }
        await world.db.insertInto('market.intents').values(row).execute()
      }
    await world.run((tx) => closeFundingIntents(tx, ended))
    expect(await openOf(ended)).to.have.members(['release', 'payout', 'return_stray', 'sight'])
    await world.run((tx) => voidIntents(tx, ended))
    expect(await openOf(ended)).to.deep.equal(['payout'])
    expect(await openOf(other)).to.have.members(kinds)
    expect(await filed(`fund:${ended}`)).to.deep.equal([[1, undefined, 'settled']])
    expect(await filed(`release:${ended}`)).to.deep.equal([[1, undefined, 'voided']])
  })

  it('that another transaction is requesting is waited for, and then compared', async () => {
    const name = { key: 'at once', orderId: null }
    const [requested, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = world.run(async (tx) => {
      await requestIntent(tx, name, sweep(1n))
      requested.resolve()
      await ended.promise
    })
    await requested.promise
    const others = [failure(request(name, 1n)), failure(request(name, 2n))]
    await untilWaitingForLocks(world.db, 2)
    ended.resolve()
    await first
    expect(await Promise.all(others)).to.deep.equal(['none', 'another intent is on file as attempt 1 of at once'])
  })
})
