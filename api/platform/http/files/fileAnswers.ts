import type { Answer } from '../route/route.ts'

/** The request headers that a route of a file reads (RFC 9110, 13 and 14). */
export const FILE_REQUEST_HEADERS = {
  Range: 'The bytes that are wanted, as one range such as bytes=0-1023.',
  'If-Range': 'An ETag: the range is answered if the file is still that one, and the whole file otherwise.',
  'If-None-Match': 'ETags: the answer is 304 if the file is one of them.',
}

/**
 * Returns the answers of a route that serves a file: the whole file, a part, or "not modified". `headers` are
 * the route's own.
 */
export function fileAnswers(contentType: string, headers: Record<string, string>) {
  const own = { ...headers, ETag: 'Of the bytes.', 'Accept-Ranges': '`bytes`' }
  const part = { ...own, 'Content-Range': 'Which bytes these are.' }
  return {
    200: { description: 'The bytes.', contentType, headers: own },
    206: { description: 'The bytes that Range names.', contentType, headers: part },
    304: { description: 'The bytes are those of an ETag in If-None-Match.', headers: own },
  } satisfies Record<number, Answer>
}
