import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import type { Address } from 'viem'
import { LeaseLost } from '../../../facilitator/file/lease.ts'
import { openSession, type Session } from '../../../facilitator/file/session.ts'
import { Unfit } from '../../../protocol/environment/databaseFaults.ts'
import { VERSION } from '../../../protocol/environment/version.ts'
import { freeAccount } from '../../kit/chain/payments.ts'
import { startDatabase, type TestDatabase } from '../../kit/stack/database.ts'
import { until } from '../../kit/until.ts'

const LEASE_MS = 600

describe('the lease of keys', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let owner: pg.Client
  const sessions: Session[] = []
  const [one, two, three] = [0, 1, 2].map((index) => freeAccount(index).address) as [Address, Address, Address]

  const open = async (
    keys: Address[],
    holder: string = randomUUID(),
    events: { onWait?: () => void; leaseMs?: number } = {},
  ) => {
    const options = { keys, holder, leaseMs: events.leaseMs ?? LEASE_MS }
    const stop = AbortSignal.timeout(30_000)
    const session = await openSession({ url: database.roleUrls.facilitator, pooler: 'none' }, options, stop, {
      onWait: events.onWait ?? (() => {}),
      isSandbox: true,
      warn: () => {},
    })
    sessions.push(session)
    return session
  }
  const beat = (session: Session) =>
    session.write(
      `insert into facilitator.heartbeat (singleton, beat_at) select true, clock_timestamp() where (select is_held from lease)
       on conflict (singleton) do update set beat_at = excluded.beat_at`,
      [],
      'beat',
    )
  const failure = (given: Promise<unknown>) =>
    given.then(
      () => undefined,
      (error: Error) => error,
    )

  before(async () => {
    database = await startDatabase()
    owner = new pg.Client(database.url)
    await owner.connect()
  })

  after(async () => {
    for (const session of sessions) await session.close()
    await owner?.end()
    await database?.stop()
  })

  test('goes to one facilitator: another takes over where the first says nothing, and the first writes nothing more [risk any-login]', async () => {
    const first = await open([one, two])
    let isWaiting = false
    const taking = open([two], randomUUID(), { onWait: () => (isWaiting = true) })
    await until('the other waits', () => isWaiting)
    expect(await beat(first)).to.equal(1)
    const second = await taking
    expect(second.lease.fencings).to.deep.equal([2n])
    const refusal = await failure(beat(first))
    expect(refusal).to.be.instanceOf(LeaseLost)
    expect(first.lost.aborted).to.equal(true)
    const { rows } = await owner.query('select beat_at from facilitator.heartbeat')
    expect(await beat(second)).to.equal(1)
    expect((await owner.query('select beat_at from facilitator.heartbeat')).rows).not.to.deep.equal(rows)
  })

  test('is extended by writes once a third of it is over, and not by each', async () => {
    const endOf = async (key: Address) => {
      const { rows } = await owner.query('select ends_at from facilitator.leases where key = $1', [key.toLowerCase()])
      return rows[0].ends_at.getTime()
    }
    const [long, short] = [await open([one], randomUUID(), { leaseMs: 60_000 }), await open([three])]
    const [longEnd, shortEnd] = [await endOf(one), await endOf(three)]
    for (let write = 0; write < 3; write++) await beat(long)
    expect(await endOf(one)).to.equal(longEnd)
    await until('a write extends it', async () => (await beat(short)) === 1 && (await endOf(three)) > shortEnd)
    await Promise.all([long.close(), short.close()])
  })

  test('holds in one copy of the database: where the session is led to another, nothing more is written', async () => {
    const holder = randomUUID()
    const session = await open([one], holder)
    expect(await beat(session)).to.equal(1)
    // A restored copy, or a standby that was promoted, has another identity too.
    await owner.query('insert into facilitator.restores default values')
    const { rows } = await owner.query('select beat_at from facilitator.heartbeat')
    expect(await failure(beat(session))).to.be.instanceOf(LeaseLost)
    expect(session.lost.aborted).to.equal(true)
    expect((await owner.query('select beat_at from facilitator.heartbeat')).rows).to.deep.equal(rows)
    // The same process goes on at once, under what it finds then.
    const again = await open([one], holder)
    expect(again.lease.identity).not.to.equal(session.lease.identity)
    expect(await beat(again)).to.equal(1)
  })

  test('of other keys is another: both write', async () => {
    const [first, second] = [await open([one]), await open([three])]
    for (const session of [first, second]) expect(await beat(session)).to.equal(1)
  })

  test('is taken whole or not at all, at once by its own holder, and is over when its holder ends', async () => {
    const holder = randomUUID()
    const former = await open([three], holder)
    const again = await open([three], holder)
    expect(again.lease.fencings).to.deep.equal([(former.lease.fencings[0] ?? 0n) + 1n])
    expect(await failure(beat(former))).to.be.instanceOf(LeaseLost)
    let isWaiting = false
    const both = open([two, three], randomUUID(), { onWait: () => (isWaiting = true) })
    await until('the other waits', () => isWaiting)
    const { rows } = await owner.query('select holder from facilitator.leases where key = $1', [three.toLowerCase()])
    expect(rows).to.deep.equal([{ holder }])
    await again.close()
    expect((await both).lease.fencings.length).to.equal(2)
  })

  test('is kept from nobody by a number or a time that the login of a facilitator wrote down [risk market-facilitator]', async () => {
    const key = freeAccount(3).address
    const first = await open([key])
    const role = new pg.Client(database.roleUrls.facilitator)
    await role.connect()
    const acts = [
      `update facilitator.leases set fencing = ${2n ** 63n - 1n}`,
      'update facilitator.leases set fencing = fencing + 2',
      `update facilitator.leases set ends_at = 'infinity'`,
      `update facilitator.leases set ends_at = clock_timestamp() + interval '61 seconds'`,
      `insert into facilitator.leases (key, holder, fencing, ends_at) values ('other', '', 1, '-infinity')`,
      `insert into facilitator.leases (key, holder, fencing, ends_at) values ('other', '', 0, 'infinity')`,
    ]
    for (const act of acts) expect((await failure(role.query(act)))?.message, act).to.contain('a lease begins')
    await role.end()
    await first.close()
    expect((await open([key])).lease.fencings).to.deep.equal([2n])
  })

  test('has a number that never falls, and a row that stays', async () => {
    for (const act of ['set fencing = fencing - 1', `set key = 'other'`])
      expect((await failure(owner.query(`update facilitator.leases ${act}`)))?.message, act).to.contain(
        'a lease begins',
      )
    expect((await failure(owner.query('delete from facilitator.leases')))?.message).to.contain('append-only')
  })

  test('is not taken in a database that another version has gone on with, or that this one never migrated', async () => {
    const refusal = async (...statements: string[]) => {
      for (const statement of statements) await owner.query(statement)
      const refused = await failure(open([one]))
      expect(refused).to.be.instanceOf(Unfit)
      return refused?.message
    }
    const later = "insert into public.versions (version) values ('99.0.0'), ('99.1.0')"
    expect(await refusal(later)).to.contain(`is of version 99.1.0, more than one after ${VERSION}`)
    const contracted = `insert into public.migrations (name, version, kind, sha256) values ('9999_drop.contract.sql', '99.0.0', 'contract', '')`
    expect(await refusal("delete from public.versions where version = '99.1.0'", contracted)).to.equal(
      `Version 99.0.0 has removed from the database what ${VERSION} uses. Run version 99.0.0.`,
    )
    expect(await refusal('delete from public.versions')).to.contain(`was never migrated by version ${VERSION}`)
    expect(await refusal('revoke execute on function public.schema_history() from market_facilitator')).to.contain(
      'run ./market migrate, which sets its rights',
    )
    expect(
      await refusal(
        'delete from public.migrations',
        'grant execute on function public.schema_history() to market_facilitator',
      ),
    ).to.contain('The database waits for migrations: 0001_schema.sql')
  })
})
