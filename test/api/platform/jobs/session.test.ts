import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { allJobs } from '../../../../api/jobs.ts'
import { Progress } from '../../../../api/payments/chain/progress.ts'
import { openIndexPool, openPool } from '../../../../api/platform/db/pool.ts'
import { JobSession, type SessionOptions } from '../../../../api/platform/jobs/session.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { until } from '../../../kit/until.ts'

const log = pino({ level: 'silent' })

describe('the session of a worker’s jobs', () => {
  let world: World
  const stops: AbortController[] = []
  const ends: Promise<void>[] = []

  before(async () => {
    world = await startWorld()
  })

  after(() => world?.stop())

  afterEach(async () => {
    for (const stop of stops.splice(0)) stop.abort()
    await Promise.all(ends.splice(0))
  })

  const open = async (changes: Partial<SessionOptions> = {}) => {
    const stop = new AbortController()
    const opened = Promise.withResolvers<void>()
    const onOpen = () => opened.resolve()
    const session = new JobSession(world.databaseUrl, {
      ...{ channels: ['market_jobs'], onNotification: () => {}, onOpen, log },
      ...changes,
    })
    stops.push(stop)
    ends.push(session.keepOpen(stop.signal))
    if (!changes.onOpen) await opened.promise
    return session
  }

  test('passes on the notifications of its channels', async () => {
    const heard = Promise.withResolvers<string[]>()
    await open({ onNotification: (...all) => heard.resolve(all) })
    await sql`select pg_notify('elsewhere', 'x'), pg_notify('market_jobs', 'test')`.execute(world.db)
    expect(await heard.promise).to.deep.equal(['market_jobs', 'test'])
  })

  test('lets one worker run a job at a time', async () => {
    const sessions = [await open(), await open(), await open()]
    let running = 0
    let most = 0
    const task = async () => {
      most = Math.max(most, ++running)
      await sql`select pg_sleep(0.02)`.execute(world.db)
      running--
    }
    const ran: boolean[] = []
    for (let round = 0; round < 5; round++) {
      ran.push(...(await Promise.all(sessions.map((session) => session.exclusively('test', task)))))
    }
    expect(most).to.equal(1)
    expect(ran.filter(Boolean).length).to.be.at.least(5)
  })

  test('runs a job after the worker that ran it has lost its session', { timeout: 20_000 }, async () => {
    const [one, other] = [await open(), await open()]
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const first = one.exclusively('lost', () => {
      begun.resolve()
      return mayEnd.promise
    })
    first.catch(() => {})
    await begun.promise
    expect(await other.exclusively('lost', async () => {})).to.equal(false)
    await sql`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and classid = hashtext('market.jobs')::oid and objid = hashtext('lost')::oid
        and database = (select oid from pg_database where datname = current_database())`.execute(world.db)
    await until('the other runs the job', () => other.exclusively('lost', async () => {}))
    mayEnd.resolve()
  })

  test('needs no connection of the pool for the locks of all jobs at once', { timeout: 20_000 }, async () => {
    const session = await open()
    const index = openIndexPool(world.databaseUrl, { max: 1, onError: () => {} })
    const jobs = allJobs(index, new Progress(), async () => {})
    const db = openPool(world.databaseUrl, { max: 1, onError: () => {} })
    const allRun = Promise.withResolvers<void>()
    let running = 0
    const work = async () => {
      if (++running === jobs.length) allRun.resolve()
      await allRun.promise
      await db.selectFrom('market.orders').select('id').execute()
    }
    const done = await Promise.all(jobs.map(({ name }) => session.exclusively(name, work)))
    expect(done.every(Boolean)).to.equal(true)
    await db.destroy()
  })

  test('outlives a server that ends it right after login, and says once that it was lost', {
    timeout: 20_000,
  }, async () => {
    const said: string[] = []
    const write = (line: string) => said.push(JSON.parse(line).msg)
    let logins = 0
    const thrice = Promise.withResolvers<void>()
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        if (++logins === 3) thrice.resolve()
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]))
        socket.end(message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0')))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const options = { channels: ['market_jobs'], onNotification: () => {}, onOpen: () => {}, log: pino({}, { write }) }
    const stop = new AbortController()
    const ended = new JobSession(`postgres://nobody@127.0.0.1:${port}/none`, options).keepOpen(stop.signal)
    await thrice.promise
    stop.abort()
    await ended
    server.close()
    expect(said).to.deep.equal(['the session of the jobs was lost'])
  })

  test('says once that its server is away, and once that it is back', { timeout: 20_000 }, async () => {
    const said: string[] = []
    const back = Promise.withResolvers<void>()
    let connections = 0
    const database = new URL(world.databaseUrl)
    const away = createServer((socket) => {
      socket.on('error', () => {})
      // Twice nobody answers; from then on it is the database.
      if (++connections <= 2) return socket.destroy()
      const there = connect(Number(database.port), database.hostname).on('error', () => {})
      return void socket.pipe(there).pipe(socket)
    })
    away.listen(0, '127.0.0.1')
    await once(away, 'listening')
    const through = new URL(world.databaseUrl)
    through.host = `127.0.0.1:${(away.address() as AddressInfo).port}`
    const stop = new AbortController()
    const ended = new JobSession(through.href, {
      ...{ channels: ['market_jobs'], onNotification: () => {}, onOpen: () => back.resolve() },
      log: pino({}, { write: (line: string) => void said.push(JSON.parse(line).msg) }),
    }).keepOpen(stop.signal)
    await back.promise
    stop.abort()
    await ended
    away.close()
    expect(said).to.deep.equal(['the session of the jobs was lost', 'the session of the jobs is open again'])
  })
})

/** A message of Postgres' protocol: its type, the length of the rest, the rest. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + length.length)
  return Buffer.concat([Buffer.from(type), length, body])
}
