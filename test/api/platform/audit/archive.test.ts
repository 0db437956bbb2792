import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type KyselyPlugin, type PluginTransformResultArgs, sql } from 'kysely'
import { pino } from 'pino'
import { createPublicClient, http } from 'viem'
import { auditArchiver } from '../../../../api/platform/audit/archiveLog.ts'
import { audit } from '../../../../api/platform/audit/audit.ts'
import { auditCheck } from '../../../../api/platform/audit/check.ts'
import { listAuditEntries } from '../../../../api/platform/audit/internal/list.ts'
import { sealAuditLog } from '../../../../api/platform/audit/seal.ts'
import { blobKey } from '../../../../api/platform/blobs/store.ts'
import { makePartitions } from '../../../../api/platform/db/partitions.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { publishedKeys } from '../../../../api/platform/signing/keys.ts'
import { checkEvidence } from '../../../../cli/user/verify/check.ts'
import { readEvidence } from '../../../../cli/user/verify/evidence.ts'
import { AUDIT_START, verifyAuditPage } from '../../../../sdk/auditLog.ts'
import { fileDueErasure } from '../../../kit/api/identity/erasure.ts'
import { newTrade, startWorld, type Trade, type World } from '../../../kit/api/payments/escrow/world.ts'
import { until } from '../../../kit/until.ts'

const DAY_SECONDS = 86_400
const RETENTION_SECONDS = 400 * DAY_SECONDS
const SPAN = 2_000_000
const CHANGED = 'an archive of the audit log is not as it was written'

const archiveAuditLog = (services: JobServices) => auditArchiver()(services)

class Crash extends Error {}

/** Ends a run before its n-th statement. */
class CrashBefore implements KyselyPlugin {
  #left: number
  constructor(statements: number) {
    this.#left = statements
  }
  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    if (this.#left-- <= 0) throw new Crash()
    return node
  }
  async transformResult({ result }: PluginTransformResultArgs) {
    return result
  }
}

// Each test begins where the one before left off: the log is one.
describe('entries of the audit log past their retention', () => {
  let world: World
  let services: JobServices
  let trade: Trade
  let lines: { alarm?: boolean; msg: string }[] = []

  before(async () => {
    world = await startWorld()
    const blobDirectory = await mkdtemp(join(tmpdir(), 'market-archives-'))
    const rpc = createPublicClient({ transport: http('http://127.0.0.1:9') })
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
    services = { db: world.serviceDb, rpc, settings: { ...world.settings, blobDirectory }, log }
    trade = await newTrade(world, 'custodied')
    await act('old')
    await sealAuditLog(services)
    await pass(RETENTION_SECONDS + DAY_SECONDS)
    await sql`select setval('market.audit_log_ids', ${2 * SPAN + 1})`.execute(world.db)
    await act('young')
    await sealAuditLog(services)
  })

  after(async () => {
    await world?.stop()
    await rm(services.settings.blobDirectory, { recursive: true, force: true })
  })

  const act = (subject: string) =>
    world.run((tx) => audit(tx, { actor: 'service', action: 'test', subject, details: { b: 1, a: [true, null] } }))
  const pass = (seconds: number) =>
    sql`update sandbox.clock set shift = shift + make_interval(secs => ${seconds})`.execute(world.db)
  const keep = (seconds: number | null) =>
    sql`update market.audit_turn set retention_seconds = ${seconds}`.execute(world.db)
  const archives = () => world.db.selectFrom('market.audit_archives').selectAll().orderBy('first_position').execute()
  const pathOf = (blobId: string) => join(services.settings.blobDirectory, blobKey(blobId))
  const alarms = async (job: (services: JobServices) => Promise<void>) => {
    lines = []
    await job(services)
    return lines.filter(({ alarm }) => alarm).map(({ msg }) => msg)
  }
  const partitions = async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'market.audit_log'::regclass order by 1`.execute(world.db)
    return rows.map(({ name }) => name)
  }
  const oldest = `audit_log_${'0'.padStart(19, '0')}`
  /** What a party reads of the whole log. */
  const chain = async (party = trade.buyer) => {
    const page = await world.run((tx) => listAuditEntries(tx, party.humanId, { after: 0, own: false, limit: 500 }))
    verifyAuditPage(page, AUDIT_START)
    return page
  }
  /** As `./market verify --config` does. Returns the faults and the entries. */
  const verified = async (...blobIds: string[]) => {
    const evidence = (
      await Promise.all(blobIds.map((blobId) => readEvidence(pathOf(blobId), { isOffline: true })))
    ).flat()
    const keys = await publishedKeys(world.db, services.settings)
    const checked = await checkEvidence(evidence, { keys, rates: [], source: 'kept', told: '' }, undefined)
    return {
      faults: checked.flatMap(({ faults, not_checked: open }) => [...faults, ...open]),
      entries: evidence.flatMap(({ kind, value }) => (kind === 'auditPage' ? value.entries : [])),
    }
  }

  it('stay for ever unless the owner says otherwise, and less than 400 days cannot be said', async () => {
    await archiveAuditLog(services)
    expect(await archives()).to.deep.equal([])
    expect(await partitions()).to.include(oldest)
    const refused = await keep(RETENTION_SECONDS - 1).catch((error: unknown) => error)
    expect(refused).to.include({ code: '23514' })
  })

  it('are not dropped with one that is written meanwhile', async () => {
    await keep(RETENTION_SECONDS)
    const writing = Promise.withResolvers<void>()
    const committing = Promise.withResolvers<void>()
    const writer = world.db.transaction().execute(async (tx) => {
      await sql`insert into market.audit_log (id, actor, action, subject, created_at)
        values (1000, 'service', 'test', 'late', '2020-01-01')`.execute(tx)
      writing.resolve()
      await committing.promise
    })
    await writing.promise
    const archiving = archiveAuditLog(services)
    await until('the drop waits for the writer', async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(world.db)
      return rows.length > 0
    })
    committing.resolve()
    await writer
    await archiving
    expect(await partitions()).to.include(oldest)
    await sealAuditLog(services)
  })

  it('are in the database or in an archive that verifies, wherever a worker ends', async () => {
    const before = await world.db.selectFrom('market.audit_log').select('id').execute()
    let ended = 0
    await world.db.transaction().execute(async (tx) => {
      // As if nothing had been archived.
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`delete from market.audit_archives`.execute(tx)
    })
    for (let isOver = false; !isOver; ended++) {
      const db = world.serviceDb.withPlugin(new CrashBefore(ended))
      isOver = await archiveAuditLog({ ...services, db }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Crash) return false
          throw error
        },
      )
      const rows = await archives()
      const { faults, entries } = await verified(...rows.map(({ blob_id }) => blob_id))
      expect(faults).to.deep.equal([])
      if ((await partitions()).includes(oldest)) continue
      expect(entries.filter(({ content }) => content !== null)).to.have.length(before.length)
    }
    expect(ended, 'statements').to.be.greaterThan(5)
    expect(await partitions()).to.not.include(oldest)
    const left = await world.db.selectFrom('market.audit_log').select('subject').execute()
    expect(left).to.deep.equal([{ subject: 'young' }])
  })

  it('stay in the chain that is read and checked, without content, and in the archive with it', async () => {
    const page = await chain()
    expect(page.at(-1)?.content).to.equal(null)
    expect(page.every(({ content }) => content === null)).to.equal(true)
    expect(await alarms(auditCheck())).to.deep.equal([])
    const [archive] = await archives()
    const { entries } = await verified(archive?.blob_id ?? '')
    expect(entries.map(({ position, hash }) => ({ position, hash }))).to.deep.equal(
      page.map(({ position, hash }) => ({ position, hash })),
    )
    expect(entries.map(({ content }) => content?.subject)).to.include('old')
  })

  it('are emptied in the archive too when somebody is erased, whose former file goes', async () => {
    const [archive] = await archives()
    const { buyer, seller } = trade
    const told = async () => {
      const { faults, entries } = await verified((await archives())[0]?.blob_id ?? '')
      expect(faults).to.deep.equal([])
      return new Set(entries.flatMap(({ content }) => (content ? [content.actor, content.subject] : [])))
    }
    expect(await told()).to.include(`market:human:${buyer.humanId}`)
    // The trade is over and paid out.
    await world.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`update market.orders set state = 'cancelled' where id = ${trade.orderId}`.execute(tx)
      for (const table of ['holds', 'authorizations', 'payouts'])
        await sql`delete from ${sql.table(`market.${table}`)} where order_id = ${trade.orderId}`.execute(tx)
    })
    await fileDueErasure(world.db, buyer.humanId)
    await sql`select market.erase_human(${buyer.humanId})`.execute(world.serviceDb)
    await Promise.allSettled([archiveAuditLog(services), archiveAuditLog(services)])
    await archiveAuditLog(services)
    const left = await told()
    expect(left).to.not.include(`market:human:${buyer.humanId}`)
    expect(left).to.include(`market:human:${seller.humanId}`)
    const removals = await world.db.selectFrom('market.blob_removals').select('blob_id').execute()
    expect(removals.map(({ blob_id }) => blob_id)).to.include(archive?.blob_id)
    expect(await world.db.selectFrom('market.audit_emptied').selectAll().execute()).to.deep.equal([])
  })

  it('are not dropped while their archive is not as it was written, which raises an alarm', async () => {
    await sealAuditLog(services)
    // Their partition is made only now: until then they were in the last resort.
    await makePartitions(services)
    await pass(RETENTION_SECONDS + DAY_SECONDS)
    await sql`select setval('market.audit_log_ids', ${3 * SPAN + 1})`.execute(world.db)
    const theirs = `audit_log_${'2'.padStart(19, '0')}`
    for (let statements = 0; (await archives()).length < 2; statements++) {
      const db = world.serviceDb.withPlugin(new CrashBefore(statements))
      await archiveAuditLog({ ...services, db }).catch((error: unknown) => expect(error).to.be.instanceOf(Crash))
    }
    const [, archive] = await archives()
    const path = pathOf(archive?.blob_id ?? '')
    const written = await readFile(path)
    const { head, entries } = JSON.parse(String(written))
    for (const [what, changed] of Object.entries({
      'an entry without content': JSON.stringify({
        head,
        entries: [{ ...entries[0], content: null }, ...entries.slice(1)],
      }),
      'a changed entry': String(written).replace('human.erase', 'human.raise'),
      'one entry less': JSON.stringify({ head, entries: entries.slice(1) }),
      'no JSON': 'no archive',
      nothing: undefined,
    })) {
      if (changed === undefined) await rm(path)
      else await writeFile(path, changed)
      expect(await alarms(archiveAuditLog), what).to.deep.equal([CHANGED])
      expect(await partitions(), what).to.include(theirs)
    }
    await writeFile(path, written)
    const archiver = auditArchiver()
    expect(await alarms(archiver)).to.deep.equal([])
    expect(await partitions()).to.not.include(theirs)
    // Later a worker reads each of them in turn.
    await writeFile(path, 'no archive')
    expect([await alarms(archiver), await alarms(archiver)].flat()).to.deep.equal([CHANGED])
  })
})
