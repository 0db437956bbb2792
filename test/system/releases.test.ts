import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { auditCheck } from '../../api/platform/audit/check.ts'
import { installSandboxClock } from '../../api/sandbox/install.ts'
import { advanceDisputes, openOverdueDisputes } from '../../api/trading/disputes/work/deadlines.ts'
import { acceptUndecided, refundExpiredHolds } from '../../api/trading/orders/work/deadlines.ts'
import { catalogueOf } from '../../cli/tools/internal/catalogue.ts'
import { readReleases, releasedDatabase } from '../../cli/tools/internal/releases.ts'
import type { World } from '../kit/api/payments/escrow/world.ts'
import { bookedFigures, misfits } from '../kit/api/payments/ledger/histories/books.ts'
import { recordDatabase, servicesOf } from '../kit/releases/record.ts'
import { readRecorded, sayable } from '../kit/releases/recorded.ts'
import { restoreRecord } from '../kit/releases/restore.ts'
import { startDatabase } from '../kit/stack/database.ts'
import { knowChain } from '../kit/stack/fence.ts'

const MAX_BYTES = 1_000_000
/** Longer than anything that ends by itself in a trade. */
const LATER = sql`interval '400 days'`

const recorded: Record<string, () => Promise<string>> = {
  // As the next release would record it.
  'this version': recordDatabase,
  ...Object.fromEntries(
    readReleases().map(({ version, database_sha256: hash }) => [
      version,
      async () => {
        const packed = readFileSync(releasedDatabase(version))
        expect(createHash('sha256').update(packed).digest('hex'), 'the hash in releases.json').to.equal(hash)
        expect(packed.length).to.be.below(MAX_BYTES)
        return gunzipSync(packed).toString()
      },
    ]),
  ),
}

for (const [place, [version, read]] of Object.entries(recorded).entries())
  describe(`a database of ${version} with trades in every state, migrated`, () => {
    let text: string
    let world: World

    before(async () => {
      text = await read()
      world = await restoreRecord(text, `released_${process.pid}_${place}`)
    })

    after(() => world?.stop())

    const orders = async () => {
      const { rows } = await sql<{ state: string; orders: number }>`
        select state, count(*)::int as orders from market.orders group by state`.execute(world.db)
      return Object.fromEntries(rows.map((row) => [row.state, row.orders]))
    }

    it('has the schema of a new one', async () => {
      const fresh = await startDatabase()
      const [migrated, made] = await Promise.all(
        [world.databaseUrl, fresh.url].map((url) => catalogueOf(url, { rows: false })),
      )
      await fresh.stop()
      expect(migrated).to.equal(made)
    })

    it('has the same books, which fit its orders and payouts', async () => {
      expect(sayable(await bookedFigures(world))).to.deep.equal(readRecorded(text).figures)
      expect(await misfits(world)).to.deep.equal([])
      const states = ['placed', 'funded', 'delivered', 'rejected', 'disputed', 'accepted', 'final', 'cancelled']
      expect(Object.keys(await orders())).to.include.members(states)
    })

    it('has an audit log that is whole', async () => {
      const lines: string[] = []
      const log = pino({}, { write: (line: string) => lines.push(line) })
      await auditCheck()(servicesOf(world, log))
      expect(lines).to.deep.equal([])
      const { rows } = await sql<{ heads: number }>`select count(*)::int as heads from market.audit_heads`.execute(
        world.db,
      )
      expect(rows[0]?.heads).to.be.above(0)
    })

    it('goes on: what is due is accepted, refunded and decided', async () => {
      await installSandboxClock(world.databaseUrl)
      // The fence closed: this is another server.
      await knowChain(world.db)
      await sql`update sandbox.clock set shift = shift + ${LATER}`.execute(world.db)
      // Histories leave orders whose payment a reorganisation took back.
      const due = async () => {
        const { rows } = await sql<{ state: string }>`
          select distinct state from market.orders where suspended_at is null
            and (state = 'delivered' and accept_by < market.now() or state = 'rejected' and redeliver_by < market.now())
          order by 1`.execute(world.db)
        return rows.map(({ state }) => state)
      }
      expect(await due()).to.deep.equal(['delivered', 'rejected'])
      const services = servicesOf(world)
      for (const job of [acceptUndecided, refundExpiredHolds, openOverdueDisputes, advanceDisputes]) await job(services)
      expect(await due()).to.deep.equal([])
      expect(await misfits(world)).to.deep.equal([])
    })
  })
