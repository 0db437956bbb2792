import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ScannerSettings } from '../../../context.ts'

/** The longest silence of the scanner that is allowed, while it connects or reads a file. */
const SILENCE_MS = 300_000
const LENGTH_BYTES = 4
const MAX_REPLY_CHARACTERS = 10_000
/**
 * The name that clamd gives to a file that it did not read to the end: it is too large, or inflates too far
 * (AlertExceedsMax).
 */
const LIMITS = 'Heuristics.Limits.'

/** The result of a scan. The signature is the rule that found something. */
export interface ScanResult {
  state: 'clean' | 'infected' | 'unscannable'
  signature: string | null
}

/** Connects to clamd. If nothing listens, throws the system's error: an outage. */
export async function connectScanner(scanner: ScannerSettings): Promise<Socket> {
  const socket = connect('path' in scanner ? { path: scanner.path } : scanner)
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('the virus scanner is silent')))
  await once(socket, 'connect')
  return socket
}

/**
 * Has clamd scan bytes as they come, by INSTREAM: each part is preceded by its length in four bytes,
 * big-endian, and a length of nothing is the end (clamd(8)). Ends the connection. Throws an Error if clamd
 * ends it without an answer, or answers that it cannot scan.
 */
export async function scanStream(socket: Socket, bytes: AsyncIterable<Uint8Array>): Promise<ScanResult> {
  let reply = ''
  socket.setEncoding('utf8')
  socket.on('data', (part) => {
    if (reply.length < MAX_REPLY_CHARACTERS) reply += part
  })
  const ended = new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve())
    socket.once('error', (error) => (reply.includes('\0') ? resolve() : reject(error)))
  })
  try {
    // A scanner that has seen enough answers and closes before the end: its answer counts, and the failed
    // write does not.
    await Promise.all([ended, send(socket, bytes)])
  } finally {
    socket.destroy()
  }
  return resultOf(reply.split('\0')[0] ?? '')
}

async function send(socket: Socket, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  socket.write('zINSTREAM\0')
  for await (const part of bytes) {
    if (socket.destroyed || !socket.writable) return
    if (part.length === 0) continue
    socket.write(lengthOf(part.length))
    if (!socket.write(part)) await drained(socket)
  }
  if (socket.writable) socket.write(lengthOf(0))
}

/** Resolves when there is room again, or the connection is over. */
async function drained(socket: Socket): Promise<void> {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    const done = () => {
      for (const event of ['drain', 'close', 'error']) socket.off(event, done)
      resolve()
    }
    for (const event of ['drain', 'close', 'error']) socket.on(event, done)
  })
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES)
  bytes.writeUInt32BE(length)
  return bytes
}

/** `stream: OK`, `stream: <signature> FOUND`, or an error. */
function resultOf(reply: string): ScanResult {
  if (/^stream: OK$/.test(reply)) return { state: 'clean', signature: null }
  const [, signature] = /^stream: (.+) FOUND$/.exec(reply) ?? []
  if (signature !== undefined) return { state: signature.startsWith(LIMITS) ? 'unscannable' : 'infected', signature }
  if (/size limit exceeded/i.test(reply)) return { state: 'unscannable', signature: null }
  throw new Error('the virus scanner gave no verdict')
}
