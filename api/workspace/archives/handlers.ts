import type { Settings } from '../../context.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import type { Db } from '../../platform/db/pool.ts'
import { contentDisposition } from '../../platform/http/files/contentDisposition.ts'
import { type WrittenEntry, writeZip } from '../../platform/zip/write.ts'
import { streamMember } from '../serveMember.ts'
import { withFrontMatter } from './internal/frontMatter.ts'
import { layOutApart } from './internal/layOutApart.ts'
import type { ArchiveEntry } from './internal/layout.ts'
import { type ArchivePlan, planArchive } from './internal/plan.ts'
import { downloadPageArchive, downloadSpaceArchive } from './routes.ts'

export const archiveHandlers = [
  streamMember(downloadPageArchive, {
    find: (tx, { settings, member }, { params }) => planArchive(tx, settings, member, { page: params.ref }),
    headers: headersOf,
    stream: ({ db, settings }, plan) => writeZip(entriesOf(db, settings, plan)),
  }),

  streamMember(downloadSpaceArchive, {
    find: (tx, { settings, member }, { params }) => planArchive(tx, settings, member, { space: params.ref }),
    headers: headersOf,
    stream: ({ db, settings }, plan) => writeZip(entriesOf(db, settings, plan)),
  }),
]

function headersOf({ name }: ArchivePlan): Record<string, string> {
  return {
    'Content-Type': 'application/zip',
    'Content-Disposition': contentDisposition('attachment', name),
    'Cache-Control': 'private, no-store',
  }
}

type Stored = Pick<Settings, 'blobDirectory' | 's3'>

async function* entriesOf(db: Db, settings: Stored, plan: ArchivePlan): AsyncGenerator<WrittenEntry> {
  for (const entry of await layOutApart(plan)) yield { path: entry.path, bytes: bytesOf(db, settings, entry) }
}

/** Yields the bytes of a file. Throws if it was deleted since the archive was planned. */
async function* bytesOf(db: Db, settings: Stored, entry: ArchiveEntry): AsyncGenerator<Uint8Array> {
  if ('text' in entry) {
    yield Buffer.from(entry.text)
  } else if ('pageId' in entry) {
    const { text } = await db
      .selectFrom('market.page_versions')
      .select('text')
      .where('page_id', '=', entry.pageId)
      .where('number', '=', entry.version)
      .executeTakeFirstOrThrow(() => new Error('a page of the archive was deleted while it was read'))
    yield Buffer.from(withFrontMatter(entry.path, entry.described, text))
  } else {
    const bytes = await blobsOf(settings).read(entry.fileId)
    if (!bytes) throw new Error('a file of the archive was deleted while it was read')
    yield* bytes
  }
}
