import { Zip, ZipPassThrough } from 'fflate'

/** A file of an archive that is written. */
export interface WrittenEntry {
  path: string
  bytes: AsyncIterable<Uint8Array>
}

/**
 * Writes a ZIP archive as fast as it is read, with one part of a file in memory at a time. Files are stored
 * as they are. Fails where a file fails: then the archive has no directory, and no reader takes it for whole.
 */
export async function* writeZip(entries: AsyncIterable<WrittenEntry>): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    written.push(chunk)
  })
  for await (const { path, bytes } of entries) {
    const file = new ZipPassThrough(path)
    zip.add(file)
    for await (const part of bytes) {
      file.push(part)
      yield* written.splice(0)
    }
    file.push(new Uint8Array(), true)
    yield* written.splice(0)
  }
  zip.end()
  yield* written.splice(0)
}
