import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '../../cli/machine/paths.ts'
import { requireNamedStatements, requireSession } from '../../protocol/environment/pooler.ts'
import { unusualTrades, wholeTrades } from '../e2e/trade.ts'
import { missingPgbouncer, type Pooler, startPgbouncer } from '../kit/stack/pgbouncer.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { until } from '../kit/until.ts'

const MAY_NOT_LAST = 'leads to a pooler that lends a connection for one transaction'
const NEED = { variable: 'DATABASE_URL', needs: 'a test needs' }
const LOCKS = `select count(*)::int as held from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where locktype = 'advisory' and datname = $1`

describe('behind a pooler of transactions', { skip: missingPgbouncer() ?? false, timeout: 600_000 }, () => {
  const poolers: Pooler[] = []
  let starting: Promise<Pooler> | undefined
  let stack: Stack

  before(async () => {
    stack = await startStack({
      async route(name, direct) {
        const { api, worker, facilitator } = direct.roleUrls
        const { reader } = direct.indexUrls
        starting ??= startPgbouncer([api, worker, facilitator, reader])
        const { through, stop } = await starting
        if (name === 'api') poolers.push({ through, stop })
        const roleUrls = { api: through(api), worker: through(worker), facilitator: through(facilitator) }
        const extra = { DATABASE_POOLER: 'transaction', ...(name === 'worker' ? { DATABASE_SESSION_URL: worker } : {}) }
        // The worker hears there of new blocks.
        const indexUrls = { ...direct.indexUrls, ...(name === 'api' ? { reader: through(reader) } : {}) }
        return { rpcUrl: direct.rpcUrl, roleUrls, indexUrls, extra }
      },
    })
  })

  after(async () => {
    await stack?.stop()
    for (const one of poolers) await one.stop()
  })

  wholeTrades(() => stack)
  unusualTrades(() => stack)

  it('a login has its timeouts, and the database its empty search path', async () => {
    const { api } = stack.database.roleUrls
    const client = new pg.Client(((await starting) as Pooler).through(api))
    await client.connect()
    try {
      const show = async (name: string) => (await client.query(`show ${name}`)).rows[0][name]
      expect(await show('lock_timeout')).to.equal('10s')
      expect(await show('search_path')).to.equal('""')
    } finally {
      await client.end()
    }
  })

  it('no lock of a session is left behind', async () => {
    const owner = new pg.Client(stack.databaseUrl)
    await owner.connect()
    try {
      const held = async () => (await owner.query(LOCKS, [new URL(stack.databaseUrl).pathname.slice(1)])).rows[0].held
      await until('nobody holds an advisory lock', held, (count) => count === 0)
    } finally {
      await owner.end()
    }
  })

  const ends = async (command: string, env: Record<string, string>) => {
    const options = { env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env }, timeout: 60_000 }
    const run = promisify(execFile)(process.execPath, [`${ROOT}cli/main.ts`, command], options)
    return run.then(
      () => 'ended well',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    )
  }

  it('what needs a session does not start without one, and says what to set', async () => {
    const owned = [stack.databaseUrl, stack.index.url, stack.index.indexUrls.indexer, stack.index.indexUrls.reader]
    poolers.push(await startPgbouncer(owned))
    const through = (url: string) => (poolers.at(-1) as Pooler).through(url)
    const migrated = { DATABASE_URL: through(stack.databaseUrl), INDEX_DATABASE_URL: stack.index.url }
    expect(await ends('migrate', migrated))
      .to.contain(`DATABASE_URL ${MAY_NOT_LAST}`)
      .and.contain('set DATABASE_SESSION_URL')
    const session = { DATABASE_SESSION_URL: stack.databaseUrl }
    const pooledIndex = { ...migrated, ...session, INDEX_DATABASE_URL: through(stack.index.url) }
    expect(await ends('migrate', pooledIndex)).to.contain(`INDEX_DATABASE_URL ${MAY_NOT_LAST}`)
    expect(await ends('migrate', { ...migrated, ...session })).to.equal('ended well')
    expect(await ends('restored', { DATABASE_URL: through(stack.databaseUrl) })).to.contain(
      `DATABASE_URL ${MAY_NOT_LAST}`,
    )
  })

  for (const robin of [0, 1])
    it(`a shared session is known when connections are lent ${robin ? 'in turn' : 'newest first'}, alone and under load`, async () => {
      const { api } = stack.database.roleUrls
      poolers.push(await startPgbouncer([api], { robin }))
      const url = (poolers.at(-1) as Pooler).through(api)
      const told = () => requireSession(url, NEED).catch((error: Error) => error.message)
      expect(await told()).to.contain(MAY_NOT_LAST)
      const load = new pg.Pool({ connectionString: url, max: 6 })
      try {
        let isOver = false
        const loads = Array.from({ length: 6 }, async () => {
          while (!isOver) await load.query('select pg_sleep(0.002)')
        })
        for (let round = 0; round < 10; round++) expect(await told()).to.contain(MAY_NOT_LAST)
        isOver = true
        await Promise.all(loads)
        const named = await requireNamedStatements(url).catch((error: Error) => error.message)
        // PgBouncer keeps them from 1.21 on, where it is told to.
        expect(named).to.contain('set DATABASE_POOLER=transaction')
      } finally {
        await load.end()
      }
    })

  it('a pooler of sessions is one, and so is the server', async () => {
    const { api } = stack.database.roleUrls
    poolers.push(await startPgbouncer([api], { mode: 'session' }))
    for (const url of [api, (poolers.at(-1) as Pooler).through(api)]) {
      await requireSession(url, NEED)
      await requireNamedStatements(url)
    }
  })
})
