import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import pino from 'pino'
import { type Address, zeroAddress } from 'viem'
import { createExclusive } from '../../facilitator/context/exclusive.ts'
import { openSession, type Session } from '../../facilitator/file/session.ts'
import { createStore } from '../../facilitator/file/store.ts'
import type { Distribution } from '../../facilitator/proof/distribution.ts'
import { isKnownWallet } from '../../facilitator/proof/knownWallets.ts'
import { type Sighting, waitForUnproved } from '../../facilitator/proof/unproved.ts'
import { freeAccount } from '../kit/chain/payments.ts'
import { startDatabase, type TestDatabase } from '../kit/stack/database.ts'

const PRICE = 20_000_000n
const DELAY_SECONDS = 3_600n
const DAY_SECONDS = 86_400n
const BEGIN = 1_900_000_000n
/** Room for three at once, in each direction. */
const LIMITS = { unprovedDailyMicros: 3n * PRICE, releaseDelaySeconds: DELAY_SECONDS }

describe('what the facilitator first saw without proof', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let role: pg.Client
  const sessions: Session[] = []
  const [hotWallet, wallet] = [freeAccount(0), freeAccount(1)]

  /** A facilitator at work. Each has keys of its own, so that no lease keeps them apart. */
  const newFacilitator = async (key: number) => {
    const keys = { keys: [freeAccount(key).address], holder: randomUUID(), leaseMs: 60_000 }
    const events = { onWait: () => {}, onExcess: () => {} }
    const session = await openSession(
      { url: database.roleUrls.facilitator, pooler: 'none' },
      keys,
      AbortSignal.timeout(30_000),
      events,
    )
    sessions.push(session)
    const log = pino({ level: 'silent' })
    const at = { chainId: 1, startBlock: 0n, escrow: zeroAddress, token: zeroAddress, hotWallet: hotWallet.address }
    const own = {
      store: createStore(session, { at, log }),
      exclusive: createExclusive(),
      hotWallet,
      log,
      limits: LIMITS,
    }
    return (seconds: bigint): Sighting => {
      const block = { number: 1n, hash: '0x', timestamp: seconds, baseFeePerGas: 0n } as const
      const times = { laterTime: seconds, earlierTime: seconds, isBehind: false }
      return { ...own, head: { latest: block, confirmed: block, ...times } }
    }
  }
  const newSubject = (subject = randomUUID()): Pick<Distribution, 'subject' | 'toPayer' | 'toOthers'> => {
    return { subject, toPayer: 0n, toOthers: PRICE }
  }
  /** Asks as often as it takes, as the facilitator does where a step fails. */
  const goes = async (at: Sighting, asked: ReturnType<typeof newSubject>): Promise<boolean> => {
    for (;;) {
      try {
        return (await waitForUnproved(at, asked)) === undefined
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error
      }
    }
  }

  before(async () => {
    database = await startDatabase()
    role = new pg.Client(database.roleUrls.facilitator)
    await role.connect()
  })

  after(async () => {
    for (const session of sessions) await session.close()
    await role?.end()
    await database?.stop()
  })

  test('is one day’s sum for two facilitators at once, and of one thing one answer', async () => {
    const both = [await newFacilitator(2), await newFacilitator(3)]
    const [one, other] = both.map((of) => of(BEGIN)) as [Sighting, Sighting]
    const asked = Array.from({ length: 8 }, () => newSubject())
    const answers = await Promise.all(asked.map((subject) => Promise.all([goes(one, subject), goes(other, subject)])))
    const { rows } = await role.query<{ sum: string }>(
      'select sum(payee_micros)::text as sum from facilitator.first_sights where due_at = seen_at',
    )
    expect(rows).to.deep.equal([{ sum: String(LIMITS.unprovedDailyMicros) }])
    const went = answers.filter((answer) => answer.includes(true)).length
    expect(went).to.be.within(1, 3)
    // Whatever each was told at first, what is on file is the same for both from then on.
    const again = await Promise.all(asked.map((subject) => Promise.all(both.map((of) => goes(of(BEGIN), subject)))))
    for (const [its, others] of again) expect(its).to.equal(others)
    expect(await goes(one, newSubject())).to.equal(false)
    const [late, nextDay] = [BEGIN + DELAY_SECONDS, BEGIN + DAY_SECONDS].map((seconds) => both[0]?.(seconds))
    for (const subject of asked) expect(late && (await goes(late, subject))).to.equal(true)
    expect(nextDay && (await goes(nextDay, newSubject()))).to.equal(true)
  })

  test('is numbered on, whatever numbers the login of the facilitator adds', async () => {
    const at = (await newFacilitator(4))(BEGIN + 3n * DAY_SECONDS)
    const add = (number: string) =>
      role
        .query(
          `insert into facilitator.first_sights (number, subject, payer_micros, payee_micros, seen_at, due_at, signature)
           values (${number}, '0x' || repeat('0', 64), 0, 0, 0, 0, '0x' || repeat('0', 130))`,
        )
        .then(
          () => 'done',
          ({ code }: pg.DatabaseError) => code,
        )
    const last = '(select max(number) from facilitator.first_sights)'
    for (const number of [`${2n ** 63n - 1n}`, `${last} + 2`, '0', '-1', last])
      expect(await add(number), number).to.equal('23514')
    expect(await goes(at, newSubject())).to.equal(true)
    expect(await add(`${last} + 1`)).to.equal('done')
    expect(await goes(at, newSubject())).to.equal(true)
  })

  test('uses up a day’s sum, and those to come, by rows of the facilitator’s login: what nothing proves waits, for the delay and no longer', async () => {
    const at = await newFacilitator(6)
    const begin = BEGIN + 6n * DAY_SECONDS
    const use = (seenAt: bigint) =>
      role.query(
        `insert into facilitator.first_sights (number, subject, payer_micros, payee_micros, seen_at, due_at, signature)
         select max(number) + 1, '0x' || repeat('0', 64), 0, $1, $2, $2, '0x' || repeat('0', 130) from facilitator.first_sights`,
        [LIMITS.unprovedDailyMicros, seenAt],
      )
    await use(begin)
    const [asked, refund] = [newSubject(), { subject: randomUUID(), toPayer: PRICE, toOthers: 0n }]
    expect(await goes(at(begin), asked)).to.equal(false)
    expect(await goes(at(begin), refund)).to.equal(true)
    expect(await goes(at(begin + DELAY_SECONDS), asked)).to.equal(true)
    expect(await goes(at(begin + DAY_SECONDS), newSubject())).to.equal(true)
    await use(253_402_300_799n)
    expect(await goes(at(begin + 2n * DAY_SECONDS), newSubject()), 'a row from the future').to.equal(true)
  })

  test('waits the delay once where a clock far ahead has put a later time on file', async () => {
    const at = await newFacilitator(7)
    const [begin, ahead] = [BEGIN + 20n * DAY_SECONDS, BEGIN + 3_650n * DAY_SECONDS]
    const [asked, full] = [newSubject(), newSubject()]
    const many = { ...full, toOthers: 4n * PRICE }
    // The facilitator itself wrote these while its node was wrong.
    expect(await goes(at(ahead), many)).to.equal(false)
    expect(await goes(at(ahead), asked)).to.equal(true)
    expect(await goes(at(begin), many)).to.equal(false)
    expect(await goes(at(begin + DELAY_SECONDS - 1n), many)).to.equal(false)
    expect(await goes(at(begin + DELAY_SECONDS), many)).to.equal(true)
    const within = [newSubject(), newSubject(), newSubject()]
    for (const one of within) expect(await goes(at(begin + 1n), one), 'the day’s sum is unused').to.equal(true)
  })

  test('is not recorded while the newest block is far behind the database', async () => {
    const of = (await newFacilitator(8))(BEGIN + 40n * DAY_SECONDS)
    const asked = newSubject()
    const rows = async () => (await role.query('select from facilitator.first_sights')).rowCount
    const before = await rows()
    expect(await goes({ ...of, head: { ...of.head, isBehind: true } }, asked)).to.equal(false)
    expect(await rows()).to.equal(before)
    expect(await goes(of, asked)).to.equal(true)
  })

  test('counts a wallet once it is known for the delay, and of nobody but its seller', async () => {
    const at = await newFacilitator(5)
    const isKnown = (seconds: bigint, owner: string, address: Address = wallet.address) =>
      isKnownWallet(at(BEGIN + seconds), ['agent', owner], address)
    expect(await isKnown(0n, 'seller')).to.equal(false)
    expect(await isKnown(DELAY_SECONDS - 1n, 'seller')).to.equal(false)
    expect(await isKnown(DELAY_SECONDS, 'seller')).to.equal(true)
    expect(await isKnown(DELAY_SECONDS, 'stranger')).to.equal(false)
    expect(await isKnown(DELAY_SECONDS, 'seller', hotWallet.address)).to.equal(false)
  })
})
