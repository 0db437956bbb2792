/** An archive that is not read. The message is for whoever sent it. */
export class ArchiveRefused extends Error {}

/** A zip archive: how long it is, and some of its bytes, both ends included. */
export interface Archive {
  sizeBytes: number
  read: (first: number, last: number) => AsyncIterable<Uint8Array>
}

/** Returns bytes of an archive. Throws ArchiveRefused where it is too short for them. */
export async function readAll(archive: Archive, at: number, bytes: number): Promise<Buffer> {
  if (at < 0 || at + bytes > archive.sizeBytes) throw damaged()
  const chunks: Uint8Array[] = []
  if (bytes > 0) for await (const chunk of archive.read(at, at + bytes - 1)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What is thrown for an archive that contradicts itself. */
export function damaged(): ArchiveRefused {
  return new ArchiveRefused('The archive is damaged.')
}
