import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sql } from 'kysely'
import { z } from 'zod'
import { Problem } from '../../api/errors.ts'
import { audit } from '../../api/platform/audit/audit.ts'
import { type Db, openPool } from '../../api/platform/db/pool.ts'
import { findPlace, readBounds, writeCursor } from '../../api/platform/events/cursor.ts'
import { emit } from '../../api/platform/events/emit.ts'
import { readLog } from '../../api/platform/events/log.ts'
import { placeActs } from '../../api/platform/events/placeActs.ts'
import { startTestServer } from '../../cli/stack/postgres/testServer.ts'
import { auditLink } from '../../protocol/records/auditChain.ts'
import { copyRows } from '../kit/stack/copyRows.ts'
import { copyTemplate, startDatabase, type TestDatabase } from '../kit/stack/database.ts'

const EVENTS = 50
/** The first server has used so many transaction ids more than the second one ever will. */
const TRANSACTIONS = 2_000

describe('a copy of the database on another server', { timeout: 120_000 }, () => {
  let first: TestDatabase
  let second: TestDatabase
  let old: Db
  let copy: Db
  const open = ({ url }: TestDatabase) => openPool(url, { max: 2, onError: () => {} })

  before(async () => {
    first = await startDatabase()
    second = await copyTemplate(await startTestServer())
    old = open(first)
  })

  after(async () => {
    await old?.destroy()
    await copy?.destroy()
    await first?.stop()
    await second?.stop()
  })

  const write = (db: Db, name: string) =>
    db.transaction().execute(async (tx) => {
      await emit(tx, { name, when: '', payload: z.object({}) }, { payload: {}, visibleTo: [] })
      await audit(tx, { actor: 'service', action: name, subject: 'service' })
    })
  const namesFrom = async (db: Db, place: bigint) => {
    await placeActs(db)
    return (await readLog(db, place, 1_000)).events.map(({ envelope }) => envelope.event_type)
  }
  const cursorAt = async (db: Db) => {
    await placeActs(db)
    const { epoch, end } = await readBounds(db)
    return writeCursor(epoch, end)
  }
  const seal = (db: Db) => sql`select market.seal_audit_entries(1000)`.execute(db)

  it('has every event once, in its order, and goes on from every cursor that it can go on from', async () => {
    await sql`do $$ begin for i in 1..${sql.raw(String(TRANSACTIONS))} loop perform pg_current_xact_id(); commit; end loop; end $$`.execute(
      old,
    )
    const names = Array.from({ length: EVENTS }, (_, index) => `event.${index}`)
    for (const name of names.slice(0, EVENTS / 2)) await write(old, name)
    const middle = await cursorAt(old)
    await seal(old)
    // These have no place yet, and are not sealed.
    for (const name of names.slice(EVENTS / 2)) await write(old, name)
    await copyRows(first.url, second.url)
    await write(old, 'lost')
    const beyond = await cursorAt(old)
    copy = open(second)
    expect(await namesFrom(copy, 0n)).to.deep.equal(names)
    const bounds = await readBounds(copy)
    expect(await namesFrom(copy, await findPlace(copy, [], middle, bounds))).to.deep.equal(names.slice(EVENTS / 2))
    const refused = await findPlace(copy, [], beyond, bounds).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(Problem)
    await write(copy, 'new')
    expect(await namesFrom(copy, bounds.end)).to.deep.equal(['new'])
    expect(await findPlace(copy, [], await cursorAt(copy), await readBounds(copy))).to.equal(bounds.end + 1n)
  })

  it('goes on with the chain of the audit log', async () => {
    await seal(copy)
    const { rows } = await sql<{ action: string; digest: Buffer; hash: Buffer }>`
      select entry.action, seal.digest, seal.chain_hash as hash from market.audit_seals seal
      join market.audit_log entry on entry.id = seal.entry_id order by seal.position`.execute(copy)
    expect(rows.map(({ action }) => action)).to.have.length(EVENTS + 1)
    let link: Buffer = Buffer.alloc(32)
    for (const { digest, hash } of rows) {
      link = Buffer.from(auditLink(link, digest))
      expect(hash).to.deep.equal(link)
    }
  })

  it('is made by pg_dump as well, where one of the version of the server is installed', async (context) => {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(
      old,
    )
    const server = Math.floor(Number(rows[0]?.version) / 10_000)
    const run = promisify(execFile)
    const found = await run('pg_dump', ['--version']).catch(() => ({ stdout: 'none' }))
    const installed = Number(/\(PostgreSQL\) (\d+)/.exec(found.stdout)?.[1] ?? 0)
    if (installed !== server) return context.skip(`pg_dump is ${installed || 'not installed'}, the server is ${server}`)
    const target = new URL(second.url)
    target.pathname = `${target.pathname}_dumped`
    await sql.raw(`create database ${target.pathname.slice(1)} template template0`).execute(copy)
    const { stdout } = await run('pg_dump', ['--no-owner', first.url], { maxBuffer: 100 * 1_048_576, encoding: 'utf8' })
    const restoring = run('psql', ['-v', 'ON_ERROR_STOP=1', '-q', target.href])
    restoring.child.stdin?.end(stdout)
    await restoring
    const dumped = openPool(target.href, { max: 1, onError: () => {} })
    try {
      expect(await namesFrom(dumped, 0n)).to.deep.equal(await namesFrom(old, 0n))
    } finally {
      await dumped.destroy()
    }
  })
})
