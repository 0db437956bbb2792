import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { holdActiveAgent } from '../../../api/identity/accounts/owner.ts'
import { audit } from '../../../api/platform/audit/audit.ts'
import { createWebhook } from '../../../api/platform/webhooks/create.ts'
import { ownWebhooks } from '../../../api/platform/webhooks/owner.ts'
import { sendTestEvent } from '../../../api/platform/webhooks/testEvent.ts'
import { newTrade, startWorld, type World } from '../../kit/api/payments/escrow/world.ts'
import { startReceiver } from '../../kit/api/platform/webhooks/receiver.ts'
import { starve } from '../../kit/stack/hang.ts'
import { missingPgbouncer, startPgbouncer } from '../../kit/stack/pgbouncer.ts'
import { until } from '../../kit/until.ts'

/** Within this time a market goes on after the death of any process. */
const RECOVERY_MS = 10_000
/** Four times the lock of a job. */
const STARVED_SECONDS = 25
const WORKER = new URL('../../../api/worker.ts', import.meta.url).pathname

// Sealing the audit log needs neither index nor node, so it shows whether jobs run at all.
describe('the worker process', () => {
  let world: World
  const children: ChildProcess[] = []

  before(async () => {
    world = await startWorld()
  })

  after(() => world?.stop())

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  const environment = () => {
    const { chain, signingKey, secretKey } = world.settings
    return {
      PATH: process.env.PATH,
      DATABASE_URL: world.roleUrls.worker,
      // Nobody listens there: without the index nothing is settled, and all else goes on.
      INDEX_DATABASE_URL: 'postgres://127.0.0.1:9/index',
      // Nobody listens there: a node that is away stops what needs it, and nothing else.
      RPC_URL: 'http://127.0.0.1:9',
      BASE_URL: 'http://localhost',
      CHAIN_ID: String(chain.chainId),
      ESCROW_ADDRESS: chain.escrow,
      TOKEN_ADDRESS: chain.token,
      HOT_WALLET_ADDRESS: chain.hotWallet,
      FEE_RECIPIENT: chain.feeRecipient,
      START_BLOCK: '1',
      SECRET_KEY: secretKey,
      SIGNING_KEY: signingKey,
      BLOB_DIR: world.settings.blobDirectory,
      MARKET_SANDBOX: 'true',
    }
  }

  const start = async (changes: Record<string, string | undefined> = {}) => {
    const env = { ...environment(), ...changes }
    const child = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const lines: { msg: string; job?: string; alarm?: boolean }[] = []
    const working = Promise.withResolvers<void>()
    createInterface(child.stdout).on('line', (line) => {
      lines.push(JSON.parse(line))
      if (lines.at(-1)?.msg === 'working') working.resolve()
    })
    const ended = once(child, 'close')
    await Promise.race([working.promise, ended])
    return { child, lines, ended }
  }

  test('does not start behind a pooler of transactions, and says where it needs a session', {
    skip: missingPgbouncer() ?? false,
  }, async () => {
    const pooler = await startPgbouncer([world.roleUrls.worker])
    try {
      const shared = { DATABASE_URL: pooler.through(world.roleUrls.worker), DATABASE_POOLER: 'transaction' }
      const { child, lines, ended } = await start(shared)
      await ended
      expect(child.exitCode).to.equal(1)
      expect(lines.at(-1)?.msg)
        .to.match(/^DATABASE_URL leads to a pooler .* notifications and the queue of jobs need a session that lasts/)
        .and.contain('set DATABASE_SESSION_URL')
      const told = await start({ ...shared, DATABASE_SESSION_URL: world.roleUrls.worker })
      // Its listener for the index, where nobody listens, tells so soon after.
      expect(told.lines.map(({ msg }) => msg)).to.include('working')
      await untilSealed('a pooler')
    } finally {
      await pooler.stop()
    }
  })

  /** An act is written down, and joins the chain: a worker is at work. */
  const untilSealed = async (subject: string, limits?: { limitMs: number }) => {
    await world.run((tx) => audit(tx, { actor: 'service', action: 'test', subject }))
    const sealed = async () => {
      const { rows } = await sql`
        select from market.audit_log entry join market.audit_seals seal on seal.entry_id = entry.id
        where entry.subject = ${subject}`.execute(world.db)
      return rows.length
    }
    await until(`the entry about ${subject} is sealed`, sealed, Boolean, limits)
  }

  test('works, and ends cleanly when asked to', { timeout: 30_000 }, async () => {
    const { child, lines, ended } = await start()
    await untilSealed('working')
    child.kill('SIGTERM')
    expect(await ended).to.deep.equal([0, null])
    expect(lines.at(-1)).to.include({ msg: 'stopped' })
    expect(lines.filter(({ alarm }) => alarm)).to.deep.equal([])
  })

  test('posts an event to a webhook when it is committed', { timeout: 30_000 }, async () => {
    const received = Promise.withResolvers<string>()
    const receiver = await startReceiver((response, { event }) => {
      response.end()
      received.resolve(event.event_type)
    })
    try {
      const { buyer } = await newTrade(world, 'custodied')
      const owner = ownWebhooks(buyer.call.actor)
      const wanted = { url: receiver.url, eventTypes: ['*'] }
      const { row } = await world.run((tx) =>
        createWebhook(tx, { owner, settings: world.settings, holdAgent: holdActiveAgent }, wanted),
      )
      const { child, ended } = await start()
      await world.run((tx) => sendTestEvent(tx, owner, row.id, { payload: {} }))
      expect(await received.promise).to.equal('webhook.test')
      child.kill('SIGTERM')
      expect(await ended).to.deep.equal([0, null])
    } finally {
      await receiver.stop()
    }
  })

  test('goes on after its connections were cut, and after kill -9 of another', { timeout: 60_000 }, async () => {
    const [one] = [await start(), await start()]
    await untilSealed('before')
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and application_name <> 'market' and query not like '%pg_terminate_backend%'
        and backend_type = 'client backend'`.execute(world.db)
    await untilSealed('after the cut')
    one.child.kill('SIGKILL')
    await one.ended
    for (const subject of ['one', 'two', 'three']) await untilSealed(subject)
  })

  test('killed in the middle of a job, it has that job run by another within ten seconds', {
    timeout: 60_000,
  }, async () => {
    const victim = await start()
    await untilSealed('before the kill')
    await world.db.transaction().execute(async (tx) => {
      await sql`lock table market.audit_seals in access exclusive mode`.execute(tx)
      await world.run((other) => audit(other, { actor: 'service', action: 'test', subject: 'the job' }))
      const waits = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%seal_audit_entries%'`
      await until('the job is being run', async () => (await waits.execute(world.db)).rows.length > 0)
      await start()
      victim.child.kill('SIGKILL')
      await victim.ended
    })
    await untilSealed('after the kill', { limitMs: RECOVERY_MS })
  })

  test('with CPU for a fortieth of the time, it loses no job to a second run, and works within seconds once it has more', {
    timeout: 90_000,
  }, async () => {
    const { child, lines } = await start()
    await untilSealed('before it is starved')
    await starve((signal) => child.kill(signal), { share: 0.025, seconds: STARVED_SECONDS })
    await untilSealed('after it was starved', { limitMs: RECOVERY_MS })
    expect(lines.map(({ msg }) => msg).filter((msg) => /lost jobs|had a fault/.test(msg))).to.deep.equal([])
  })

  test('warns, in a sandbox alone, where its database role is the owner', { timeout: 30_000 }, async () => {
    const { child, lines, ended } = await start({ DATABASE_URL: world.databaseUrl })
    expect(lines.map(({ msg }) => msg).join()).to.match(/is of the role postgres.*Use market_worker.*working/)
    child.kill('SIGTERM')
    expect(await ended).to.deep.equal([0, null])
  })

  for (const [name, changes, words] of [
    ['without a variable', { SIGNING_KEY: undefined }, /SIGNING_KEY/],
    ['with a second node that is the first', { RPC_VERIFY_URL: 'http://127.0.0.1:9' }, /RPC_VERIFY_URL: is RPC_URL/],
    ['with a second node that is no address', { RPC_VERIFY_URL: 'somewhere' }, /RPC_VERIFY_URL: Invalid/],
    ['as anything but a sandbox on a sandbox’s database', { MARKET_SANDBOX: undefined }, /belongs to a sandbox/],
  ] as const) {
    test(`does not start ${name}, and says why`, { timeout: 30_000 }, async () => {
      const { lines, ended } = await start(changes)
      expect(await ended).to.deep.equal([1, null])
      expect(lines.at(-1)?.msg).to.match(words)
    })
  }
})
