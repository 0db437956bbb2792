import { isUtf8 } from 'node:buffer'
import type { Settings } from '../../../context.ts'
import { blobsOf } from '../../../platform/blobs/open.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { Archive } from '../../../platform/zip/archive.ts'
import type { ZipEntry } from '../../../platform/zip/zip.ts'
import type { AttachmentRow } from '../../attachments/find.ts'
import { requireRoom, type StoredBytes, storeBytes } from '../../attachments/storage.ts'
import { encodingOf } from '../../attachments/textEncoding.ts'
import { MAX_PAGE_CHARACTERS } from '../../pages/write.ts'
import { isHtml, isMarkdown } from '../paths.ts'
import { listAll } from './entries.ts'
import { type FrontMatter, readFrontMatter } from './frontMatter.ts'
import { ImportRefused, MAX_INFLATED_BYTES, MAX_TEXT_BYTES } from './limits.ts'
import type { Report } from './report.ts'

const HTML_ALONE =
  'This is HTML, without Markdown. Export it again as Markdown: in Notion as Markdown & CSV, in Joplin as MD, in Google Docs as Markdown (.md), in Bear as TextBundle.'

/**
 * The content of an archive, by path: texts in memory with what stood before them, and other files stored,
 * without rows yet.
 */
export interface ReadArchive {
  texts: Map<string, string>
  matters: Map<string, FrontMatter>
  files: Map<string, StoredBytes>
}

/**
 * Reads an archive, and the archives in it. Sizes are checked before anything is inflated, and again during
 * inflation; files are stored as they are inflated. Markdown that cannot be a page becomes a file, and the
 * report says why. Throws ImportRefused beyond the limits or if nothing is a page, and 413 if the org has no
 * room for the files.
 */
export async function readArchive(
  db: Db,
  settings: Pick<Settings, 'blobDirectory' | 'rules' | 's3'>,
  { org_id, file_id, size_bytes, filename }: AttachmentRow,
  report: Report,
): Promise<ReadArchive> {
  if (isHtml(filename)) throw new ImportRefused(HTML_ALONE)
  const { maxFormUploadBytes } = settings.rules
  // Archives within the archive, stored while they are read.
  const inner: string[] = []
  const store = async (entry: ZipEntry, maxBytes: number): Promise<Archive> => {
    await requireRoom(db, settings.rules, org_id, entry.sizeBytes)
    const { id, sizeBytes } = await storeBytes(settings, entry.read(), maxBytes)
    inner.push(id)
    return archiveOf(settings, id, sizeBytes)
  }
  try {
    const entries = await listAll(archiveOf(settings, file_id, Number(size_bytes)), store, report, filename)
    await requireRoom(db, settings.rules, org_id, requireWithin(entries, maxFormUploadBytes))
    const read: ReadArchive = { texts: new Map(), matters: new Map(), files: new Map() }
    const failures: string[] = []
    for (const [path, entry] of entries) {
      const failure = isMarkdown(path) ? await readPage(settings, read, path, entry, report) : undefined
      if (!isMarkdown(path)) read.files.set(path, await storeBytes(settings, entry.read(), maxFormUploadBytes))
      if (failure !== undefined) failures.push(failure)
    }
    if (read.texts.size === 0) throw new ImportRefused(failures[0] ?? whyNone(entries))
    return read
  } finally {
    for (const id of inner) await blobsOf(settings).remove(id)
  }
}

function whyNone(entries: ReadonlyMap<string, ZipEntry>): string {
  return [...entries.keys()].some(isHtml) ? HTML_ALONE : 'There is no Markdown in the archive.'
}

function archiveOf(settings: Pick<Settings, 'blobDirectory' | 's3'>, fileId: string, sizeBytes: number): Archive {
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

/** Returns the announced size of the files, without Markdown, in bytes. */
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

/**
 * Adds the text of a Markdown file to the texts. If it cannot be a page, adds it to the files and returns
 * why.
 */
async function readPage(
  settings: Pick<Settings, 'blobDirectory' | 's3'>,
  { texts, matters, files }: ReadArchive,
  path: string,
  entry: ZipEntry,
  report: Report,
): Promise<string | undefined> {
  const bytes = Buffer.concat(await Array.fromAsync(entry.read()))
  const encoding = encodingOf(bytes, { isWhole: true })
  const whole = encoding === undefined ? undefined : decode(bytes, encoding)
  const { text, ...matter } = whole === undefined ? { text: whole } : readFrontMatter(whole)
  const failure =
    text === undefined
      ? `${path} is no text.`
      : text.length > MAX_PAGE_CHARACTERS
        ? `${path} is longer than the ${MAX_PAGE_CHARACTERS} characters that a page may have.`
        : undefined
  if (text !== undefined && failure === undefined) {
    texts.set(path, text)
    if ('files' in matter) matters.set(path, matter)
    if (encoding !== 'utf-8') report.add('page_converted', path, `It was read as ${encoding}.`)
    else if (!isUtf8(bytes)) report.add('page_converted', path, 'Bytes that are no UTF-8 were replaced.')
    return undefined
  }
  async function* unchanged() {
    yield bytes
  }
  files.set(path, await storeBytes(settings, unchanged(), bytes.length))
  report.add('page_kept_as_file', path, failure ?? '')
  return failure
}

function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: encoding !== 'utf-8' }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
