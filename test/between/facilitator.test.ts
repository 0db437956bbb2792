import { randomUUID } from 'node:crypto'
import { after, before, describe } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import pino from 'pino'
import { type Address, type Hex, padHex, toHex, zeroAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { createExclusive } from '../../facilitator/context/exclusive.ts'
import { LeaseLost, takeLease } from '../../facilitator/file/lease.ts'
import { openFile } from '../../facilitator/file/restoreGuard.ts'
import { openSession, type Session } from '../../facilitator/file/session.ts'
import { SignedAuthorizations, VALIDITY_SECONDS } from '../../facilitator/file/signedAuthorizations.ts'
import { createStore } from '../../facilitator/file/store.ts'
import { announce, waitForUnproved } from '../../facilitator/proof/unproved.ts'
import { idleNode } from '../kit/between/money.ts'
import { describeStage, openWatcher, type Watcher } from '../kit/between/stage.ts'
import { freeAccount } from '../kit/chain/payments.ts'
import { startDatabase, type TestDatabase } from '../kit/stack/database.ts'

const [LEASE_MS, PRICE] = [60_000, 20_000_000n]
const hotWallet = freeAccount(0)

describe('two facilitators, the one acting in between the statements of the other', { timeout: 600_000 }, () => {
  let database: TestDatabase
  let watcher: Watcher
  let now: bigint
  let seed = 0
  const sessions: Session[] = []
  const clients: pg.Client[] = []

  before(async () => {
    database = await startDatabase()
    watcher = await openWatcher(database.url)
    const { rows } = await watcher.client.query('select floor(extract(epoch from market.now()))::text as now')
    now = BigInt(rows[0].now)
  })
  after(async () => {
    for (const session of sessions) await session.close()
    for (const client of clients) await client.end()
    await watcher?.stop()
    await database?.stop()
  })

  const newKey = (): Address => privateKeyToAddress(padHex(toHex(++seed), { size: 32 }))
  const open = async (keys: readonly Address[], holder: string = randomUUID()) => {
    const session = await openSession(
      { url: database.roleUrls.facilitator, pooler: 'none' },
      { keys, holder, leaseMs: LEASE_MS },
      AbortSignal.timeout(30_000),
      { onWait: () => {}, isSandbox: true, warn: () => {} },
    )
    sessions.push(session)
    return session
  }
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.roleUrls.facilitator })
    await client.connect()
    clients.push(client)
    return client
  }
  /** The leases of some keys have run out, and their holder does not know. */
  const expire = (keys: readonly Address[]) =>
    watcher.client.query(`update facilitator.leases set ends_at = clock_timestamp() where key = any ($1)`, [
      keys.map((key) => key.toLowerCase()),
    ])
  const record = (session: Session, subject: Hex) =>
    session.write(
      `insert into facilitator.first_sights (number, subject, payer_micros, payee_micros, seen_at, due_at, signature)
       select (select coalesce(max(number), 0) + 1 from facilitator.first_sights), $1, 1, 0, 1, 1, '0x' || repeat('0', 130)
       where (select is_held from lease)`,
      [subject],
      `record ${session.lease.fencings.join()}`,
    )
  const outcome = (act: Promise<unknown>) =>
    act.then(
      () => 'done',
      (error: unknown) => (error instanceof LeaseLost ? 'lost' : Promise.reject(error)),
    )

  interface Leased {
    keys: Address[]
    holders: string[]
    sessions: Session[]
    clients: pg.Client[]
    subject: Hex
  }
  describeStage<Leased>(
    {
      isOnce: true,
      title: 'keys whose lease has run out',
      arrange: async () => {
        const keys = [newKey(), newKey()]
        const [first, taker] = [await open(keys), await connect()]
        await expire(keys)
        return {
          ...{ keys, holders: [randomUUID(), randomUUID()], sessions: [first], clients: [taker, await connect()] },
          subject: padHex(toHex(++seed), { size: 32 }),
        }
      },
      acts: {
        'a write by their holder': ({ sessions: [session], subject }) => outcome(record(session as Session, subject)),
        'their taking by a second one': async ({ keys, holders: [holder = ''], clients: [client] }) =>
          (await takeLease(client as pg.Client, { keys, holder, leaseMs: LEASE_MS })) !== undefined,
        'the taking of one of them by a third one': async ({ keys: [key], holders: [, holder = ''], clients }) =>
          (await takeLease(clients[1] as pg.Client, { keys: [key as Address], holder, leaseMs: LEASE_MS })) !==
          undefined,
      },
    },
    () => watcher,
  )

  const at = { chainId: 7, escrow: zeroAddress, token: zeroAddress, hotWallet: hotWallet.address, startBlock: 0n }
  const log = pino({ level: 'silent' })
  const pass = (session: Session, from: bigint) => {
    const block = { number: 1n, hash: '0x', timestamp: from, baseFeePerGas: 0n } as const
    return {
      ...{ store: createStore(session, { at, log }), exclusive: createExclusive(), hotWallet, log },
      limits: { unprovedDailyMicros: PRICE * 5n, releaseDelaySeconds: 3_600n },
      head: { latest: block, confirmed: block, laterTime: from, earlierTime: from, isBehind: false },
    }
  }
  describeStage<{ passes: ReturnType<typeof pass>[]; days: bigint }>(
    {
      isOnce: true,
      title: 'room for one distribution without proof in the day',
      arrange: async () => {
        const days = BigInt(++seed) * 2n * 86_400n + 1_900_000_000n
        const passes = [
          pass(await open([newKey()]), days),
          pass(await open([newKey()]), days),
          pass(await open([newKey()]), days),
        ]
        for (let used = 0; used < 4; used++) await waitForUnproved(passes[0] as never, distribution())
        return { passes, days }
      },
      acts: {
        'a request at one facilitator': ({ passes: [one] }) => again((asked) => waitForUnproved(one as never, asked)),
        'a request at another': ({ passes: [, other] }) => again((asked) => waitForUnproved(other as never, asked)),
        'an announcement at a third one': ({ passes: [, , other] }) =>
          again((asked) => announce(other as never, asked)),
      },
    },
    () => watcher,
  )
  const distribution = () => ({
    ...{ subject: randomUUID(), toPayer: 0n, toOthers: PRICE },
    parties: { payer: randomUUID(), payee: randomUUID() },
  })
  const again = (step: (asked: ReturnType<typeof distribution>) => Promise<unknown>) => {
    const asked = distribution()
    return going(() => step(asked))
  }
  /** A step whose row lost its number is done again, and finds what was decided in between. */
  const going = async (step: () => Promise<unknown>): Promise<string> => {
    try {
      return (await step()) === undefined ? 'goes' : 'waits'
    } catch (error) {
      if (error instanceof pg.DatabaseError) return going(step)
      throw error
    }
  }

  const newProcess = (keys: Address[]) => {
    const context = {
      ...{ client: idleNode(7, now), at, confirmations: 5, witness: undefined, log, hotWallet },
      ...{ limits: { dailyPayoutMicros: 10n } as never, signedAuthorizations: new SignedAuthorizations() },
    }
    const begin = async (session: Session) => {
      context.signedAuthorizations.onLease(session.lease)
      const { file } = await openFile(context, createStore(session, context), () => {})
      return file
    }
    return { keys, begin, holder: randomUUID() }
  }
  const payout = (number: number) => ({
    authorization: {
      ...({
        nonce: padHex(toHex(number), { size: 32 }),
        leg: 'payee',
        recipient: zeroAddress,
        amountMicros: 6n,
      } as const),
      ...{ validBefore: now + VALIDITY_SECONDS, signature: `0x${'01'.repeat(65)}` as Hex },
    },
    during: { earlierTime: now, laterTime: now },
  })
  describeStage<{ first: Awaited<ReturnType<ReturnType<typeof newProcess>['begin']>>; keys: Address[] }>(
    {
      isOnce: true,
      title: 'a file whose lease has run out, and room for one payout in the day',
      arrange: async () => {
        await watcher.client.query(`begin; set local session_replication_role = replica;
          delete from facilitator.authorizations; delete from facilitator.identities; commit`)
        const process = newProcess([newKey()])
        const first = await process.begin(await open(process.keys))
        await expire(process.keys)
        return { first, keys: process.keys }
      },
      acts: {
        'a payout by its holder': ({ first }) => outcome(first.add(payout(1))),
        'its taking by another, which pays as well': async ({ keys }) => {
          const process = newProcess(keys)
          const client = await connect()
          const lease = await takeLease(client, { keys, holder: process.holder, leaseMs: LEASE_MS })
          if (!lease) return 'not free'
          const file = await process.begin(await open(keys, process.holder))
          return file.add(payout(2))
        },
      },
      holds: async () => {
        const { rows } = await watcher.client.query(
          'select coalesce(sum(amount_micros), 0)::int as sum from facilitator.authorizations',
        )
        expect(rows[0].sum).to.be.at.most(10)
      },
    },
    () => watcher,
  )
})
