import { Gate, type StreamEnd, type StreamSink, WAITING_BYTES } from '../stream.ts'

const RETRY_MS = 1_000
const encoder = new TextEncoder()

/**
 * Opens a stream of server-sent events (WHATWG HTML, 9.2). It first sends its starting position, so that a
 * receiver that loses the connection before the first message resumes there. `destroy` closes the connection
 * of a receiver that reads nothing.
 */
export function openEventStream(place: string, destroy: () => void): { body: ReadableStream; sink: StreamSink } {
  const ended = new AbortController()
  const gate = new Gate()
  const finish = () => {
    ended.abort()
    gate.open()
  }
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const start = (opened: ReadableStreamDefaultController<Uint8Array>) => {
    controller = opened
  }
  const waiting = new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES })
  const body = new ReadableStream<Uint8Array>({ start, pull: () => gate.open(), cancel: finish }, waiting)
  const write = (text: string) => {
    if (ended.signal.aborted || !controller) return
    controller.enqueue(encoder.encode(text))
    if ((controller.desiredSize ?? 0) <= 0) gate.close()
  }
  const end = (why: StreamEnd) => {
    if (ended.signal.aborted) return
    finish()
    controller?.close()
    if (why === 'slow') destroy()
  }
  write(`retry: ${RETRY_MS}\nid: ${place}\n\n`)
  const sink: StreamSink = {
    send: ({ place: id, type, data }) => write(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`),
    // An event without data is not dispatched, but its id counts.
    beat: (id) => write(`: alive\nid: ${id}\n\n`),
    blockedSince: () => gate.since,
    ready: () => gate.ready(),
    end,
    closed: ended.signal,
  }
  return { body, sink }
}
