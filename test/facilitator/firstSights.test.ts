import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import pino from 'pino'
import { keccak256, stringToHex, zeroAddress } from 'viem'
import { createExclusive } from '../../facilitator/context/exclusive.ts'
import { openSession, type Session } from '../../facilitator/file/session.ts'
import { createStore } from '../../facilitator/file/store.ts'
import type { Distribution } from '../../facilitator/proof/distribution.ts'
import type { Sighting } from '../../facilitator/proof/internal/sighting.ts'
import { announce, waitForUnproved } from '../../facilitator/proof/unproved.ts'
import { freeAccount } from '../kit/chain/payments.ts'
import { startDatabase, type TestDatabase } from '../kit/stack/database.ts'

const PRICE = 20_000_000n
const DELAY_SECONDS = 3_600n
const DAY_SECONDS = 86_400n
const BEGIN = 1_900_000_000n
/** Room for five at once, in each direction, and for one of a payer or a seller. */
const ROOM = 5
const LIMITS = { unprovedDailyMicros: 5n * PRICE, releaseDelaySeconds: DELAY_SECONDS }

describe('what the facilitator first saw without proof', { timeout: 300_000 }, () => {
  let database: TestDatabase
  let role: pg.Client
  const sessions: Session[] = []
  let lines: string[] = []
  const hotWallet = freeAccount(0)

  /** A facilitator at work. Each has keys of its own, so that no lease keeps them apart. */
  const newFacilitator = async (key: number) => {
    const keys = { keys: [freeAccount(key).address], holder: randomUUID(), leaseMs: 60_000 }
    const events = { onWait: () => {}, isSandbox: true, warn: () => {} }
    const session = await openSession(
      { url: database.roleUrls.facilitator, pooler: 'none' },
      keys,
      AbortSignal.timeout(30_000),
      events,
    )
    sessions.push(session)
    const log = pino({}, { write: (line: string) => lines.push(line) })
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
  type Asked = Pick<Distribution, 'subject' | 'toPayer' | 'toOthers' | 'parties'>
  /** A distribution of a payer and a seller of its own. */
  const newSubject = (changes: Partial<Asked> = {}): Asked => {
    const parties = { payer: randomUUID(), payee: randomUUID() }
    return { subject: randomUUID(), toPayer: 0n, toOthers: PRICE, parties, ...changes }
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

  test('is one day’s sum for two facilitators at once, and of one thing one answer [risk market-api]', async () => {
    const both = [await newFacilitator(2), await newFacilitator(3)]
    const [one, other] = both.map((of) => of(BEGIN)) as [Sighting, Sighting]
    const asked = Array.from({ length: 8 }, () => newSubject())
    const answers = await Promise.all(asked.map((subject) => Promise.all([goes(one, subject), goes(other, subject)])))
    const { rows } = await role.query<{ sum: string }>(
      'select sum(payee_micros)::text as sum from facilitator.first_sights where due_at = seen_at',
    )
    expect(rows).to.deep.equal([{ sum: String(LIMITS.unprovedDailyMicros) }])
    const went = answers.filter((answer) => answer.includes(true)).length
    expect(went).to.be.within(1, ROOM)
    // Whatever each was told at first, what is on file is the same for both from then on.
    const again = await Promise.all(asked.map((subject) => Promise.all(both.map((of) => goes(of(BEGIN), subject)))))
    for (const [its, others] of again) expect(its).to.equal(others)
    expect(await goes(one, newSubject())).to.equal(false)
    const [late, nextDay] = [BEGIN + DELAY_SECONDS, BEGIN + DAY_SECONDS].map((seconds) => both[0]?.(seconds))
    for (const subject of asked) expect(late && (await goes(late, subject))).to.equal(true)
    expect(nextDay && (await goes(nextDay, newSubject()))).to.equal(true)
  })

  test('is numbered on, whatever numbers the login of the facilitator adds [risk market-facilitator]', async () => {
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
    const [asked, refund] = [newSubject(), newSubject({ toPayer: PRICE, toOthers: 0n })]
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
    const many = { ...full, toOthers: 6n * PRICE }
    // The facilitator itself wrote these while its node was wrong.
    expect(await goes(at(ahead), many)).to.equal(false)
    expect(await goes(at(ahead), asked)).to.equal(true)
    expect(await goes(at(begin), many)).to.equal(false)
    expect(await goes(at(begin + DELAY_SECONDS - 1n), many)).to.equal(false)
    expect(await goes(at(begin + DELAY_SECONDS), many)).to.equal(true)
    const within = Array.from({ length: ROOM }, () => newSubject())
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

  describe('in a day of its own', () => {
    const RISE = 'far more than usual was announced'
    /** The sum of a market as it is by default, and its delay. */
    const BY_DEFAULT = { unprovedDailyMicros: 500_000_000n, releaseDelaySeconds: DAY_SECONDS }
    let days = 100n
    let key = 20
    /** A facilitator by default, at seconds of a day that no other test has. */
    const newDay = async () => {
      days += 40n
      const begin = BEGIN + days * DAY_SECONDS
      const at = await newFacilitator(key++)
      lines = []
      return (seconds: bigint): Sighting => ({ ...at(begin + seconds), limits: BY_DEFAULT })
    }
    const alarms = () => lines.filter((line) => line.includes('"alarm":true'))
    const ofFifty = () => newSubject({ toOthers: 50_000_000n })

    test('200 ordinary deliveries of 50 are all paid when their window ends, without an alarm [risk many-wallets]', async () => {
      const at = await newDay()
      const sold = Array.from({ length: 200 }, (_, index) => ({ asked: ofFifty(), deliveredAt: BigInt(index) * 432n }))
      for (const { asked, deliveredAt } of sold) await announce(at(deliveredAt + 5n), asked)
      for (const [index, { asked, deliveredAt }] of sold.entries()) {
        // A few seconds after its delivery it was seen, so as much after the end of its window it is paid.
        if (index % 20 === 0) expect(await goes(at(deliveredAt + DAY_SECONDS), asked)).to.equal(false)
        expect(await goes(at(deliveredAt + DAY_SECONDS + 5n), asked)).to.equal(true)
      }
      expect(alarms()).to.deep.equal([])
      const unannounced = Array.from({ length: 8 }, ofFifty)
      const now = at(200n * 432n + DAY_SECONDS)
      for (const asked of unannounced) expect(await goes(now, asked), 'the day’s sum is unused').to.equal(true)
    })

    test('a thief’s announcement of all holds raises one alarm [risk market-api]', async () => {
      const at = await newDay()
      for (let hour = 0n; hour < 20n; hour++)
        for (let count = 0; count < 8; count++) await announce(at(hour * 3_600n), ofFifty())
      expect(alarms()).to.deep.equal([])
      for (let count = 0; count < 160; count++) await announce(at(21n * 3_600n), ofFifty())
      expect(alarms()).to.have.length(1)
      expect(alarms()[0]).to.include(RISE)
    })

    test('a payer uses a fifth of the sum, a seller as well, and another is kept for small amounts [risk many-wallets]', async () => {
      const at = (await newDay())(0n)
      const fifty = { toPayer: 50_000_000n, toOthers: 0n }
      const went = async (changes: () => Partial<Asked>, count: number) => {
        const answers: boolean[] = []
        for (let index = 0; index < count; index++) answers.push(await goes(at, newSubject({ ...fifty, ...changes() })))
        return answers.filter(Boolean).length
      }
      // Who has 100 dollars, pays, and takes them back, again and again.
      const outsider = { payer: 'outsider', payee: 'accomplice' }
      expect(await went(() => ({ parties: outsider }), 6)).to.equal(2)
      expect(await went(() => ({ parties: { payer: randomUUID(), payee: 'accomplice' } }), 3)).to.equal(0)
      expect(await went(() => ({ parties: { payer: 'outsider', payee: randomUUID() } }), 3)).to.equal(0)
      expect(await went(() => ({}), 10)).to.equal(6)
      expect(await went(() => ({ toPayer: 20_000_001n }), 2)).to.equal(0)
      expect(await went(() => ({ toPayer: 20_000_000n }), 8)).to.equal(5)
      expect(await goes(at, newSubject()), 'payments have a sum of their own').to.equal(true)
    })

    test('what is requested before its announcement is due uses the sum, and without room waits no longer than that', async () => {
      const at = await newDay()
      const [first, second, ...others] = Array.from({ length: 10 }, ofFifty)
      if (!first || !second) throw new Error('there are ten')
      for (const asked of [first, second]) await announce(at(0n), asked)
      expect(await goes(at(3_600n), first)).to.equal(true)
      const went = []
      for (const asked of others) went.push(await goes(at(3_600n), asked))
      expect(went.filter(Boolean)).to.have.length(7)
      expect(await goes(at(3_600n), second)).to.equal(false)
      expect(await goes(at(DAY_SECONDS - 1n), second)).to.equal(false)
      expect(await goes(at(DAY_SECONDS), second)).to.equal(true)
    })

    test('a row of 1.0.0-rc.1 is one of ours', async () => {
      const at = await newDay()
      const asked = newSubject({ toOthers: 600_000_000n })
      const subject = keccak256(stringToHex(asked.subject))
      const seenAt = at(0n).head.laterTime
      const dueAt = seenAt + 60n
      const message = `Market facilitator: first sight of ${subject}, payer 0, payee ${asked.toOthers}, at ${seenAt}, due ${dueAt}`
      await role.query(
        `insert into facilitator.first_sights (number, subject, payer_micros, payee_micros, seen_at, due_at, signature)
         select max(number) + 1, $1, 0, $2, $3, $4, $5 from facilitator.first_sights`,
        [subject, asked.toOthers, seenAt, dueAt, await hotWallet.signMessage({ message })],
      )
      expect(await goes(at(59n), asked)).to.equal(false)
      expect(await goes(at(60n), asked)).to.equal(true)
    })
  })
})
