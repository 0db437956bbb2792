import { contentDisposition } from '../../platform/http/files/contentDisposition.ts'
import type { FileDescription } from '../../platform/http/files/serveFile.ts'
import type { ServedFile } from './find.ts'

// What a browser shows without running any of it. PDF is not among them: browsers show none in a sandboxed page.
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif)|text\/plain|video\/(?:mp4|webm)|audio\/(?:mpeg|ogg))$/
// What a browser could run: it is served as bytes of no kind.
const ACTIVE = /^(?:text\/html|image\/svg\+xml|application\/xml)$/

/** Returns how bytes of this kind are shown: only what no browser runs is shown in a page (workspace spec 4). */
export function dispositionFor(mediaType: string): 'inline' | 'attachment' {
  return SHOWN.test(mediaType) ? 'inline' : 'attachment'
}

/**
 * Returns how a file is served. Somebody else wrote its bytes: browsers take the type from us, and may run nothing of it
 * under our origin.
 */
export function describeFile({ blobId, sha256, sizeBytes, filename, ...file }: ServedFile): FileDescription {
  const disposition = dispositionFor(file.mediaType) === 'inline' ? file.disposition : 'attachment'
  return {
    sizeBytes: Number(sizeBytes),
    etag: `"${sha256 ?? blobId}"`,
    headers: {
      ...SERVED_HEADERS,
      ...(sha256 === undefined ? SHOWN_IN_CONSOLE : {}),
      'Content-Type': contentType(file.mediaType),
      'Content-Disposition': contentDisposition(disposition, filename),
      ...(sha256 === undefined ? {} : { 'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:` }),
    },
  }
}

const SERVED_HEADERS = {
  // It is looked up again each time, so that what goes to the trash is gone.
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-site',
  'Referrer-Policy': 'no-referrer',
}

/** Of previews, which we made, and which a signed link alone leads to: the console may be on another site than the files. */
const SHOWN_IN_CONSOLE = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

function contentType(mediaType: string): string {
  if (ACTIVE.test(mediaType)) return 'application/octet-stream'
  return mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType
}
