import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { listen } from '../../../../api/platform/jobs/listener.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { until } from '../../../kit/until.ts'

const log = pino({ level: 'silent' })
const DEAF = { channels: ['market_jobs'], onNotification: () => {}, onSilence: () => {} }

describe('the session that hears notifications', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world?.stop())

  test('passes on the notifications of its channels', async () => {
    const heard = Promise.withResolvers<string[]>()
    const opened = Promise.withResolvers<void>()
    const stop = new AbortController()
    const ended = listen(
      world.databaseUrl,
      {
        channels: ['market_jobs'],
        onNotification: (channel, payload) => heard.resolve([channel, payload]),
        onOpen: opened.resolve,
        onSilence: () => {},
        log,
      },
      stop.signal,
    )
    await opened.promise
    await sql`select pg_notify('elsewhere', 'x'), pg_notify('market_jobs', 'test')`.execute(world.db)
    expect(await heard.promise).to.deep.equal(['market_jobs', 'test'])
    stop.abort()
    await ended
  })

  test('says that it listens again after its session was lost, for what was missed', async () => {
    const opens: (() => void)[] = []
    const openings = [1, 2].map(() => {
      const { promise, resolve } = Promise.withResolvers<void>()
      opens.push(resolve)
      return promise
    })
    const stop = new AbortController()
    const options = { ...DEAF, onOpen: () => opens.shift()?.(), log }
    const ended = listen(world.databaseUrl, options, stop.signal)
    await openings[0]
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'market-worker-listener'`.execute(world.db)
    await openings[1]
    stop.abort()
    await ended
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
    const options = { ...DEAF, onOpen: () => {}, log: pino({}, { write }) }
    const stop = new AbortController()
    const ended = listen(`postgres://nobody@127.0.0.1:${port}/none`, options, stop.signal)
    await thrice.promise
    stop.abort()
    await ended
    server.close()
    expect(said).to.deep.equal(['the session that hears notifications was lost'])
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
    const log = pino({}, { write: (line: string) => void said.push(JSON.parse(line).msg) })
    const options = { ...DEAF, onOpen: () => back.resolve(), log }
    const ended = listen(through.href, options, stop.signal)
    await back.promise
    stop.abort()
    await ended
    away.close()
    expect(said).to.deep.equal(['the session that hears notifications was lost', 'notifications are heard again'])
  })

  test('tells of a session that answers no more, though nobody has ended it', { timeout: 20_000 }, async () => {
    const database = new URL(world.databaseUrl)
    const sockets: Socket[] = []
    const way = createServer((socket) => {
      const there = connect(Number(database.port), database.hostname)
      for (const each of [socket, there]) sockets.push(each.on('error', () => {}))
      socket.pipe(there).pipe(socket)
    })
    way.listen(0, '127.0.0.1')
    await once(way, 'listening')
    const through = new URL(world.databaseUrl)
    through.host = `127.0.0.1:${(way.address() as AddressInfo).port}`
    const [opened, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isStalled = false
    const stop = new AbortController()
    const onSilence = () => (isStalled ? silent.resolve() : silent.reject(new Error('it answered')))
    const timing = { lookMs: 10, silenceMs: 1_000 }
    const ended = listen(through.href, { ...DEAF, onOpen: opened.resolve, onSilence, log, timing }, stop.signal)
    await opened.promise
    const asked = sql<{ asked: string }>`select query as asked from pg_stat_activity
      where datname = current_database() and application_name = 'market-worker-listener'`
    await until('it was asked', async () => (await asked.execute(world.db)).rows[0]?.asked === 'select 1')
    isStalled = true
    for (const socket of sockets) socket.unpipe().pause()
    await silent.promise
    stop.abort()
    for (const socket of sockets) socket.destroy()
    await ended
    way.close()
  })
})

/** A message of Postgres' protocol: its type, the length of the rest, the rest. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + length.length)
  return Buffer.concat([Buffer.from(type), length, body])
}
