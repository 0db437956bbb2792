import type { Settings } from '../../context.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Archive } from '../../platform/zip/archive.ts'
import { listEntries, type ZipEntry } from '../../platform/zip/zip.ts'
import type { AttachmentRow } from '../attachments/find.ts'
import { requireRoom } from '../attachments/storage.ts'
import { type StoredBytes, storeBytes } from '../attachments/store.ts'
import { DIRECTORY_LIMITS, ImportRefused, MAX_INFLATED_BYTES, MAX_TEXT_BYTES } from './limits.ts'
import { isIgnored, isMarkdown, safePath } from './paths.ts'

/** What an archive has, by path: texts in memory, and other files stored, which no row has yet. */
export interface ReadArchive {
  texts: Map<string, string>
  files: Map<string, StoredBytes>
}

/**
 * Reads an archive. Its sizes are checked before anything is inflated, and again while it is; files go to the store as they
 * are inflated. Throws ImportRefused for what is beyond the limits, and 413 for what the org has no room for.
 */
export async function readArchive(
  db: Db,
  settings: Settings,
  { org_id, file_id, size_bytes }: AttachmentRow,
): Promise<ReadArchive> {
  const archive = archiveOf(settings, file_id, Number(size_bytes))
  const entries = await wantedEntries(archive)
  const { maxFormUploadBytes } = settings.rules
  await requireRoom(db, settings.rules, org_id, requireWithin(entries, maxFormUploadBytes))
  const read: ReadArchive = { texts: new Map(), files: new Map() }
  for (const [path, entry] of entries) {
    const bytes = entry.read()
    if (isMarkdown(path)) read.texts.set(path, await readText(path, bytes))
    else read.files.set(path, await storeBytes(settings, bytes, maxFormUploadBytes))
  }
  return read
}

function archiveOf(settings: Settings, fileId: string, sizeBytes: number): Archive {
  const blobs = blobsOf(settings)
  return {
    sizeBytes,
    read: async function* (first, last) {
      const bytes = await blobs.read(fileId, { first, last })
      if (!bytes) throw new ImportRefused('The archive is gone.')
      yield* bytes
    },
  }
}

async function wantedEntries(archive: Archive): Promise<Map<string, ZipEntry>> {
  const wanted = new Map<string, ZipEntry>()
  for (const entry of await listEntries(archive, DIRECTORY_LIMITS)) {
    const path = safePath(entry.path)
    if (entry.path.endsWith('/') || path === '' || isIgnored(path)) continue
    if (entry.isLink) throw new ImportRefused(`${path} is a symbolic link. Put what it leads to into the archive.`)
    if (wanted.has(path)) throw new ImportRefused(`${path} is in the archive twice.`)
    wanted.set(path, entry)
  }
  return wanted
}

/** Returns how many bytes of files, Markdown aside, are announced. */
function requireWithin(entries: ReadonlyMap<string, ZipEntry>, maxFileBytes: number): number {
  let [textBytes, fileBytes] = [0, 0]
  for (const [path, { sizeBytes }] of entries) {
    if (isMarkdown(path)) textBytes += sizeBytes
    else fileBytes += sizeBytes
    if (sizeBytes > maxFileBytes) throw new ImportRefused(`${path} is larger than the ${maxFileBytes} bytes of a file.`)
  }
  if (textBytes > MAX_TEXT_BYTES) throw new ImportRefused(`An archive may have ${MAX_TEXT_BYTES} bytes of Markdown.`)
  if (textBytes + fileBytes > MAX_INFLATED_BYTES) {
    throw new ImportRefused(`An archive may inflate to ${MAX_INFLATED_BYTES} bytes.`)
  }
  return fileBytes
}

async function readText(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    if (!text.includes('\0')) return text
  } catch {
    // Below.
  }
  throw new ImportRefused(`${path} is no text in UTF-8.`)
}
