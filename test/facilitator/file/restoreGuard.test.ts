import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import pino from 'pino'
import { type Address, createPublicClient, custom, type Hex, padHex, toHex, zeroAddress } from 'viem'
import { openFile } from '../../../facilitator/file/restoreGuard.ts'
import { openSession, type Session } from '../../../facilitator/file/session.ts'
import { SignedAuthorizations, VALIDITY_SECONDS } from '../../../facilitator/file/signedAuthorizations.ts'
import { createStore } from '../../../facilitator/file/store.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../../../protocol/rpc/topics.ts'
import { freeAccount } from '../../kit/chain/payments.ts'
import { startDatabase, type TestDatabase } from '../../kit/stack/database.ts'

const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const [hotWallet, submitter] = [freeAccount(0), freeAccount(1)]

describe('the file, opened again by a process that lived on', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let owner: pg.Client
  /** The database's time, which is that of every block (unix seconds). */
  let now: bigint
  const ends: (() => Promise<void>)[] = []

  before(async () => {
    database = await startDatabase()
    owner = new pg.Client(database.url)
    await owner.connect()
    const { rows } = await owner.query('select floor(extract(epoch from market.now()))::text as now')
    now = BigInt(rows[0].now)
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })
  after(async () => {
    await owner?.end()
    await database?.stop()
  })

  /** Logs of the hot wallet that the node has, by topic. */
  const logs = new Map<string, object>()
  /** A node on which the hot wallet has sent only what `logs` says: what it signed was not submitted. */
  const client = createPublicClient({
    transport: custom({
      request: async ({ method, params: [first] = [] }: { method: string; params?: unknown[] }) => {
        if (method === 'eth_chainId') return '0x7'
        if (method === 'eth_getLogs')
          return [(first as { topics: (string | string[])[] }).topics[0] ?? []]
            .flat()
            .flatMap((topic) => logs.get(topic) ?? [])
        const number = first === 'latest' ? '0x64' : first
        return { number, hash: padHex(number as Hex, { size: 32 }), timestamp: toHex(now), transactions: [] }
      },
    }),
    cacheTime: 0,
  })

  /** A process with the keys of the hot wallet. Each opening has a session and a lease of its own. */
  const newProcess = (keys: Address[] = [hotWallet.address]) => {
    const holder = randomUUID()
    const signedAuthorizations = new SignedAuthorizations()
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => lines.push(line) })
    const at = { chainId: 7, escrow: zeroAddress, token: zeroAddress, hotWallet: hotWallet.address, startBlock: 0n }
    const limits = { dailyPayoutMicros: 1_000_000_000n } as never
    const context = { client, at, confirmations: 5, witness: undefined, log, hotWallet, limits, signedAuthorizations }
    let session: Session | undefined
    const open = async () => {
      await session?.close()
      session = await openSession(
        { url: database.roleUrls.facilitator, pooler: 'none' },
        { keys, holder, leaseMs: 60_000 },
        AbortSignal.timeout(30_000),
        { onWait: () => {}, isSandbox: true, warn: () => {} },
      )
      signedAuthorizations.onLease(session.lease)
      const store = createStore(session, context)
      return openFile(context, store, store.reportForeign)
    }
    /** Opens the file. Returns how to sign, and whether the hot wallet has to wait. */
    const begin = async () => {
      const { file, signsFrom } = await open()
      const sign = (seed: number) => {
        const authorization = {
          ...({ nonce: hash(seed), leg: 'payee', recipient: submitter.address, amountMicros: 1n } as const),
          ...{ validBefore: now + VALIDITY_SECONDS, signature: `0x${'01'.repeat(65)}` as Hex },
        }
        return file.add({ authorization, during: { earlierTime: now, laterTime: now } })
      }
      return { sign, waits: signsFrom > now }
    }
    const end = async () => {
      await session?.close()
      session = undefined
    }
    ends.push(end)
    return { begin, end, lines }
  }
  /** Changes the database as a restore does: the newest entries are gone, and it is another copy. */
  const restore = async (...statements: string[]) => {
    await owner.query('begin; set local session_replication_role = replica')
    for (const statement of statements) await owner.query(statement)
    await owner.query('insert into facilitator.restores default values; commit')
  }
  const empty = ['delete from facilitator.authorizations', 'delete from facilitator.identities']

  it('is not unused when it was emptied: the process has signed, though no node has seen it', async () => {
    await restore(...empty)
    const process = newProcess()
    const first = await process.begin()
    expect(first.waits).to.equal(false)
    expect(await first.sign(1)).to.equal(true)
    await restore(...empty)
    expect((await process.begin()).waits).to.equal(true)
    expect(process.lines.join('')).to.include('the file was restored')
  })

  for (const [how, topic] of [
    ['a signed payment', AUTHORIZATION_USED],
    ['a plain transfer', TRANSFER],
  ] as const)
    it(`is not unused when it was emptied and the chain shows ${how} of the hot wallet`, async (t) => {
      await restore(...empty)
      t.after(() => logs.clear())
      logs.set(topic, { address: zeroAddress, topics: [topic], data: '0x', blockNumber: '0x1', logIndex: '0x0' })
      expect((await newProcess().begin()).waits).to.equal(true)
    })

  it('is whole after a restore that lost nothing, while nobody else has held the keys', async () => {
    await restore(...empty)
    const process = newProcess()
    expect(await (await process.begin()).sign(1)).to.equal(true)
    await restore()
    expect((await process.begin()).waits).to.equal(false)
  })

  for (const [what, keys] of [
    ['its keys', [hotWallet.address]],
    ['one of its keys', [hotWallet.address, submitter.address]],
  ] as const)
    it(`is not whole after a restore that lost what another process wrote while it held ${what}`, async () => {
      await restore(...empty)
      const [process, other] = [newProcess([...keys]), newProcess()]
      expect(await (await process.begin()).sign(1)).to.equal(true)
      await process.end()
      expect(await (await other.begin()).sign(2)).to.equal(true)
      await other.end()
      const newest = 'where number = (select max(number) from facilitator.authorizations)'
      await restore(`delete from facilitator.authorizations ${newest}`)
      expect((await process.begin()).waits).to.equal(true)
      expect(process.lines.join('')).to.include('the file was restored')
    })

  it('stays in doubt at the next opening too, until the wait is over', async () => {
    await restore(...empty)
    const [process, other] = [newProcess(), newProcess()]
    expect(await (await process.begin()).sign(1)).to.equal(true)
    await process.end()
    expect((await other.begin()).waits).to.equal(false)
    await other.end()
    await restore()
    expect((await process.begin()).waits).to.equal(true)
    await process.end()
    expect((await process.begin()).waits).to.equal(true)
  })
})
