import { finished, PassThrough, type Readable } from 'node:stream'

/** The bytes of a request, as they arrive. */
export interface Arriving {
  /** Ends where the body ends, where its connection ends, and where the request is to stop. */
  bytes: Readable
  /** Whether the connection ended before the body did. */
  isCut: () => boolean
}

/**
 * Returns the bytes of a body until `signal` stops it. They are taken from the connection itself, and none is
 * copied. A body that ends early is no error: what has arrived of it is to be stored, to the last byte.
 */
export function arriving(body: Readable, signal: AbortSignal): Arriving {
  const bytes = new PassThrough()
  let isCut = false
  const stop = () => {
    body.unpipe(bytes)
    if (!bytes.destroyed) bytes.end()
  }
  // Unlike an event, this also tells of a connection that has ended already.
  finished(body, { writable: false }, (error) => {
    signal.removeEventListener('abort', stop)
    if (!error) return
    isCut = true
    stop()
  })
  if (signal.aborted) stop()
  else {
    signal.addEventListener('abort', stop, { once: true })
    body.pipe(bytes)
  }
  return { bytes, isCut: () => isCut }
}
