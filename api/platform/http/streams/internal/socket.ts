import type { WebSocket } from 'ws'
import { Gate, type StreamEnd, type StreamSink, WAITING_BYTES } from '../stream.ts'

/** The close code and reason (RFC 6455, 7.4) when the service ends a stream. */
const CODES: Record<Exclude<StreamEnd, 'slow'>, [number, string]> = {
  credential: [1008, 'the token has ended'],
  stopping: [1001, 'the service restarts: connect again'],
}

/**
 * Sends messages over a WebSocket. A beat is a ping: a receiver that has not answered the previous one is
 * gone.
 */
export function socketSink(socket: WebSocket): StreamSink {
  const ended = new AbortController()
  const gate = new Gate()
  let isAnswered = true
  socket.on('close', () => {
    ended.abort()
    gate.open()
  })
  // The event 'close' follows.
  socket.on('error', () => {})
  socket.on('pong', () => {
    isAnswered = true
  })
  const isBlocked = () => socket.bufferedAmount > WAITING_BYTES
  return {
    send: ({ data }) => {
      socket.send(data, () => {
        if (!isBlocked()) gate.open()
      })
      if (isBlocked()) gate.close()
    },
    beat: () => {
      if (!isAnswered) return socket.terminate()
      isAnswered = false
      socket.ping()
    },
    blockedSince: () => gate.since,
    ready: () => gate.ready(),
    end: (why) => (why === 'slow' ? socket.terminate() : socket.close(...CODES[why])),
    closed: ended.signal,
  }
}
