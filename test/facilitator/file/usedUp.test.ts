import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import pino from 'pino'
import { zeroAddress } from 'viem'
import { createFundingBudget, type FundingBudget } from '../../../facilitator/file/budget.ts'
import { openSession, type Session } from '../../../facilitator/file/session.ts'
import { createStore } from '../../../facilitator/file/store.ts'
import { startDatabase, type TestDatabase } from '../../kit/stack/database.ts'

const [FORBIDDEN, REFUSED] = ['42501', '23514']
const DAY_WEI = 1_000n
const NEW_OWNER_WEI = 100n

describe('what the login of the facilitator uses up', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let owner: pg.Client
  let thief: pg.Client
  let session: Session
  let budget: FundingBudget

  before(async () => {
    database = await startDatabase()
    owner = new pg.Client(database.url)
    thief = new pg.Client(database.roleUrls.facilitator)
    for (const client of [owner, thief]) await client.connect()
    const keys = { keys: [zeroAddress], holder: randomUUID(), leaseMs: 60_000 }
    const events = { onWait: () => {}, isSandbox: true, warn: () => {} }
    session = await openSession(
      { url: database.roleUrls.facilitator, pooler: 'none' },
      keys,
      AbortSignal.timeout(30_000),
      events,
    )
    const at = { chainId: 1, startBlock: 0n, escrow: zeroAddress, token: zeroAddress, hotWallet: zeroAddress }
    const store = createStore(session, { at, log: pino({ level: 'silent' }) })
    budget = createFundingBudget(store, { dailyWei: DAY_WEI, newOwnerWei: NEW_OWNER_WEI })
  })

  after(async () => {
    await session?.close()
    for (const client of [owner, thief]) await client?.end()
    await database?.stop()
  })

  const answer = (act: string, values: unknown[]) =>
    thief.query(act, values).then(
      () => 'done',
      ({ code }: pg.DatabaseError) => code,
    )
  const charge = (ownerId: string, wei: bigint, intentId: string | null = null) =>
    answer(
      `insert into facilitator.transactions (hash, intent_id, signer, nonce, raw, owner_id, charged_wei)
       values ('0x' || encode(sha256(uuid_send(gen_random_uuid())), 'hex'), $1, '0x' || repeat('0', 40), 0, '0x02f8', $2, $3)`,
      [intentId, ownerId, wei],
    )
  const hasRoom = async (ownerId: string, wei: bigint) =>
    (await budget.within(ownerId, wei, async () => 'spent')) === 'spent'
  const dayLater = (ownerId: string) =>
    owner.query(
      `begin; set local session_replication_role = replica;
       update facilitator.transactions set created_at = created_at - interval '24 hours' where owner_id = '${ownerId}'; commit`,
    )

  test('is an owner’s gas of a day, nobody else’s, and not of the day after [risk market-facilitator]', async () => {
    const [victim, other] = [randomUUID(), randomUUID()]
    expect(await hasRoom(victim, NEW_OWNER_WEI)).to.equal(true)
    expect(await charge(victim, NEW_OWNER_WEI)).to.equal('done')
    expect(await hasRoom(victim, 1n)).to.equal(false)
    expect(await hasRoom(other, NEW_OWNER_WEI)).to.equal(true)
    const later = `insert into facilitator.transactions (hash, signer, nonce, raw, owner_id, charged_wei, created_at)
      values ('later', '', 0, '', $1, 1000, '3000-01-01')`
    expect(await answer(later, [other])).to.equal(FORBIDDEN)
    await dayLater(victim)
    expect(await hasRoom(victim, NEW_OWNER_WEI)).to.equal(true)
  })

  test('is never less than nothing: no owner is given more gas than the limit of an established one', async () => {
    const accomplice = randomUUID()
    expect(await charge(accomplice, -1_000_000n)).to.equal(REFUSED)
    expect(await hasRoom(accomplice, NEW_OWNER_WEI + 1n)).to.equal(false)
    const intentId = randomUUID()
    await charge(accomplice, 0n, intentId)
    const outcome = `insert into facilitator.outcomes (intent_id, status) values ($1, 'confirmed')`
    expect(await answer(outcome, [intentId])).to.equal('done')
    expect(await hasRoom(accomplice, NEW_OWNER_WEI + 1n)).to.equal(false)
    await dayLater(accomplice)
    expect(await hasRoom(accomplice, DAY_WEI)).to.equal(true)
    expect(await hasRoom(accomplice, DAY_WEI + 1n)).to.equal(false)
  })
})
