const MAX_REQUEST_BYTES = 262_144
const MAX_ANSWER_BYTES = 262_144

/** An answer of a model that was cut off because it was too long. */
class AnswerTooLong extends Error {
  constructor() {
    super(`the model's answer is above ${MAX_ANSWER_BYTES} bytes`)
    this.name = 'AnswerTooLong'
  }
}

/**
 * Returns a fetch for one call of a model: it follows no redirect, because the evidence goes to the
 * configured endpoint alone, and reads an answer only up to a limit. `onTooLong` is called for a longer one.
 */
export function boundedFetch(onTooLong: () => void): typeof fetch {
  return async (input, init) => {
    if (typeof init?.body === 'string' && init.body.length > MAX_REQUEST_BYTES) throw new Error('the case is too long')
    const response = await fetch(input, { ...init, redirect: 'error' })
    const pieces: Uint8Array[] = []
    let size = 0
    // A body is iterable; the DOM's type does not say so.
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += piece.byteLength
      if (size > MAX_ANSWER_BYTES) {
        onTooLong()
        throw new AnswerTooLong()
      }
      pieces.push(piece)
    }
    const { status, statusText, headers } = response
    const kept = new Headers(headers)
    // The bytes are decoded by now.
    for (const name of ['content-encoding', 'content-length']) kept.delete(name)
    return new Response(status === 204 ? null : Buffer.concat(pieces), { status, statusText, headers: kept })
  }
}
