import { after, before, describe } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import type { Actor } from '../../api/context.ts'
import { Problem } from '../../api/errors.ts'
import type { Tx } from '../../api/platform/db/pool.ts'
import { inTransaction } from '../../api/platform/db/transaction.ts'
import { beginAttempt } from '../../api/platform/jobs/attempts.ts'
import type { JobServices } from '../../api/platform/jobs/services.ts'
import { endReservation } from '../../api/workspace/attachments/storage.ts'
import { keepMade, type Made } from '../../api/workspace/processing/internal/keep.ts'
import { deleteFile, releaseFile, rescanFile } from '../../api/workspace/scanning/internal/operate.ts'
import { recordScan } from '../../api/workspace/scanning/internal/record.ts'
import { expireUploads } from '../../api/workspace/uploads/expire.ts'
import { beginUpload } from '../../api/workspace/uploads/internal/begin.ts'
import type { UploadRow } from '../../api/workspace/uploads/internal/find.ts'
import { finishUpload } from '../../api/workspace/uploads/internal/finish.ts'
import { locked, UploadLease } from '../../api/workspace/uploads/internal/lease.ts'
import { newId } from '../../protocol/encoding/ids.ts'
import { startWorkspace, type Workspace } from '../kit/api/workspace/world.ts'
import { describeStage, openWatcher, type Watcher } from '../kit/between/stage.ts'

const LENGTH = 10
const REFUSALS = new Set<string>(['resource/not-found', 'workspace/upload-locked'])

describe('files, with somebody else acting in between', { timeout: 600_000 }, () => {
  let world: Workspace
  let watcher: Watcher
  let services: JobServices
  let orgId: string
  let actor: Actor

  before(async () => {
    world = await startWorkspace()
    const { api, ada } = world
    watcher = await openWatcher(api.databaseUrl)
    services = { db: api.workerDb, settings: api.settings, log: pino({ level: 'silent' }) } as unknown as JobServices
    orgId = (
      await api.db.selectFrom('market.orgs').select('id').where('slug', '=', world.slug).executeTakeFirstOrThrow()
    ).id
    actor = {
      ...{
        humanId: ada.id,
        agentId: null,
        tokenId: newId(),
        expiresAt: null,
        session: null,
        scopes: [],
        isHuman: true,
      },
      ...{ isOperator: true, isDeactivated: false, isRotated: false },
    }
  })
  after(async () => {
    await watcher?.stop()
    await world?.stop()
  })

  const run = <Answer>(verb: (tx: Tx) => Promise<Answer>) => inTransaction(world.api.serviceDb, 'read write', verb)
  const work = <Answer>(verb: (tx: Tx) => Promise<Answer>) => inTransaction(world.api.workerDb, 'read write', verb)
  const use = (usedBytes: number) =>
    sql`insert into market.storage_usage (org_id, used_bytes) values (${orgId}, ${usedBytes})
      on conflict (org_id) do update set used_bytes = excluded.used_bytes, reserved_bytes = 0`.execute(world.api.db)
  const begin = (maxOrgBytes = 1_000) => {
    const metadata = { org: world.slug, page: world.page.id, filename: 'verse.txt', insert: 'none' }
    const upload = { id: newId(), leaseId: newId(), lengthBytes: LENGTH, metadata }
    return run((tx) => beginUpload(tx, { ...world.api.settings.rules, maxOrgBytes }, actor, upload))
  }
  const finish = (row: UploadRow) =>
    refusable(() =>
      run(async (tx) => {
        const bytes = { id: row.id, sizeBytes: LENGTH, sha256: null, mediaType: 'text/plain', encoding: 'utf-8' }
        await finishUpload(tx, world.api.settings.rules, actor, row, bytes)
      }),
    )
  /**
   * Whether an upload is gone or another request has it: the client asks what became of it in either case.
   */
  const refusable = async (act: () => Promise<unknown>) => {
    try {
      await act()
      return 'done'
    } catch (error) {
      if (error instanceof Problem && REFUSALS.has(error.problem)) return 'refused'
      throw error
    }
  }

  describeStage<{ row: UploadRow }>(
    {
      title: 'an upload that has arrived, whose time and lease are over',
      arrange: async () => {
        await sql`delete from market.uploads`.execute(world.api.db)
        await sql`delete from market.attachments`.execute(world.api.db)
        await use(0)
        const { id } = await begin()
        const over = { expires_at: new Date(0), leased_until: new Date(0) }
        const changed = world.api.db.updateTable('market.uploads').set(over).where('id', '=', id).returningAll()
        return { row: await changed.executeTakeFirstOrThrow() }
      },
      acts: {
        'its end': ({ row }) => finish(row),
        'the job that expires it': () => expireUploads(services),
        'its removal': ({ row }) => run((tx) => endReservation(tx, row.id)),
        'another request that takes it over': ({ row }) =>
          refusable(async () => {
            const lease = new UploadLease(world.api.serviceDb, { id: row.id, createdBy: row.created_by, isNew: false })
            await lease.lock(AbortSignal.timeout(20_000), () => {})
            const ended = await finish({ ...row, lease_id: lease.id }).finally(() => lease.unlock())
            if (ended === 'refused') throw locked()
          }),
      },
    },
    () => watcher,
  )

  describeStage<object>(
    {
      title: 'room for one upload',
      arrange: async () => {
        await sql`delete from market.uploads`.execute(world.api.db)
        await use(0)
        return {}
      },
      acts: { 'the beginning of an upload': async () => void (await begin(LENGTH + 1)) },
    },
    () => watcher,
  )

  const newFile = async (changes: object = {}) => {
    await use(LENGTH)
    const id = newId()
    const sha256 = id.replaceAll('-', '').repeat(2)
    const row = { id, org_id: orgId, sha256, size_bytes: BigInt(LENGTH), ...changes }
    await world.api.db.insertInto('market.files').values(row).execute()
    return { id, org_id: orgId }
  }
  type File = Awaited<ReturnType<typeof newFile>>
  const isUnscanned = (id: string) => sql<boolean>`id = ${id} and scan_state = 'unscanned'`

  describeStage<File>(
    {
      title: 'a file that two scans were begun of, and one more would be given up',
      arrange: () => newFile({ scans: 3 }),
      acts: {
        'a scan that finds it clean': ({ id }) => work((tx) => recordScan(tx, id, { state: 'clean', signature: null })),
        'a scan that finds it infected': ({ id }) =>
          work((tx) => recordScan(tx, id, { state: 'infected', signature: 'Eicar' })),
        'its being given up': async ({ id }) => {
          const begun = await beginAttempt(world.api.workerDb, 'market.files', 'scans', isUnscanned(id))
          if (begun?.isUsedUp) await work((tx) => recordScan(tx, id, { state: 'unscannable', signature: null }))
        },
      },
    },
    () => watcher,
  )

  describeStage<File>(
    {
      title: 'an infected file',
      arrange: () => newFile({ scan_state: 'infected', signature: 'Eicar', scanned_at: new Date() }),
      acts: {
        'its release': ({ id }) => run(async (tx) => void (await releaseFile(tx, actor, id))),
        'its deletion': ({ id }) => run(async (tx) => void (await deleteFile(tx, actor, id))),
        'another scan': ({ id }) => run(async (tx) => void (await rescanFile(tx, actor, id))),
        'the text that was read from it': (file) => work((tx) => keepMade(tx, file, made('read'), [preview()])),
      },
    },
    () => watcher,
  )

  const made = (text: string): Made => ({
    ...{ text: { state: 'ready', text }, previews: { state: 'ready', previews: [] } },
  })
  const failed: Made = { text: { state: 'failed', text: '' }, previews: { state: 'failed', previews: [] } }
  const preview = () => ({ id: newId(), size: 320, sizeBytes: 1 })

  describeStage<File>(
    {
      title: 'a file that two workers read',
      arrange: () => newFile(),
      acts: {
        'its text': (file) => work((tx) => keepMade(tx, file, made('read'), [preview()])),
        'its failure': (file) => work((tx) => keepMade(tx, file, failed, [])),
      },
    },
    () => watcher,
  )
})
