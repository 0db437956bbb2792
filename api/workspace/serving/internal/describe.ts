import { contentDisposition } from '../../../platform/http/files/contentDisposition.ts'
import type { FileDescription } from '../../../platform/http/files/serveFile.ts'
import type { ServedFile } from './find.ts'

// Types that a browser shows without running any of it. PDF is not among them, because browsers show none in
// a sandboxed page.
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif)|text\/plain|video\/(?:mp4|webm)|audio\/(?:mpeg|ogg))$/
// Types that a browser could run. They are served as bytes of no type.
const ACTIVE = /^(?:text\/html|image\/svg\+xml|application\/xml)$/

/**
 * Returns how bytes of this type are shown: only types that no browser runs are shown in a page (workspace
 * spec 4).
 */
export function dispositionFor(mediaType: string): 'inline' | 'attachment' {
  return SHOWN.test(mediaType) ? 'inline' : 'attachment'
}

/**
 * Returns how a file is served. Somebody else wrote its bytes: browsers take the type from us, and may run
 * nothing of it under our origin.
 */
export function describeFile({ blobId, isPreview, sha256, sizeBytes, filename, ...file }: ServedFile): FileDescription {
  const disposition = dispositionFor(file.mediaType) === 'inline' ? file.disposition : 'attachment'
  return {
    sizeBytes: Number(sizeBytes),
    etag: `"${sha256 ?? blobId}"`,
    headers: {
      ...SERVED_HEADERS,
      ...(isPreview ? SHOWN_IN_CONSOLE : {}),
      'Content-Type': contentType(file),
      'Content-Disposition': contentDisposition(disposition, filename),
      ...(sha256 === null ? {} : { 'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:` }),
    },
  }
}

const SERVED_HEADERS = {
  // The file is looked up again each time, so that a trashed file is gone.
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-site',
  'Referrer-Policy': 'no-referrer',
}

/**
 * For previews, which we made, and which only a signed link leads to. The console may be on another site than
 * the files.
 */
const SHOWN_IN_CONSOLE = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

// Without an encoding, browsers take the one of their user's language.
function contentType({ mediaType, encoding }: Pick<ServedFile, 'mediaType' | 'encoding'>): string {
  if (ACTIVE.test(mediaType)) return 'application/octet-stream'
  return mediaType === 'text/plain' ? `text/plain; charset=${encoding ?? 'utf-8'}` : mediaType
}
