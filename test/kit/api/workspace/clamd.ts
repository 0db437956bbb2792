import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { until } from '../../until.ts'

const PROGRAM = '/usr/sbin/clamd'

/** The test file of all virus scanners, in halves: no scanner is to find it here. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** A scanner on a socket of its own. */
export interface TestScanner {
  path: string
  /** How many files it was sent. */
  scans: () => number
  stop: () => Promise<void>
}

/**
 * Answers the bytes of a file; without an answer the connection ends. `early`: before the end of the file;
 * `after`: not sooner.
 */
export type Verdict = (bytes: Buffer) => { reply?: string; early?: true; after?: Promise<void> }

/**
 * Returns what the whole parts of an INSTREAM come to, and whether their end is there. Undefined for another
 * command.
 */
function partsOf(received: Buffer): { bytes: Buffer; isWhole: boolean } | undefined {
  const command = 'zINSTREAM\0'
  if (received.length < command.length) return { bytes: Buffer.alloc(0), isWhole: false }
  if (received.toString('latin1', 0, command.length) !== command) return undefined
  const parts: Buffer[] = []
  for (let place = command.length; place + 4 <= received.length; ) {
    const length = received.readUInt32BE(place)
    if (length === 0) return { bytes: Buffer.concat(parts), isWhole: true }
    if (place + 4 + length > received.length) break
    parts.push(received.subarray(place + 4, place + 4 + length))
    place += 4 + length
  }
  return { bytes: Buffer.concat(parts), isWhole: false }
}

/** Starts a server that speaks clamd's protocol, and says of each file what a test wants. */
export async function startFakeScanner(verdict: () => Verdict): Promise<TestScanner> {
  const directory = await mkdtemp(join(tmpdir(), 'market-scanner-'))
  const path = join(directory, 'clamd.sock')
  let scans = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let received = Buffer.alloc(0)
    let isDone = false
    const answer = (reply: string | undefined) => {
      scans++
      if (reply !== undefined) socket.write(`${reply}\0`)
      socket.end()
    }
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part])
      const parts = partsOf(received)
      if (isDone || !parts || (!parts.isWhole && parts.bytes.length === 0)) return
      const { reply, early = false, after } = verdict()(parts.bytes)
      if (!parts.isWhole && !early) return
      isDone = true
      if (after) void after.then(() => answer(reply))
      else answer(reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    path,
    scans: () => scans,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Whether a real clamd is installed on this machine. */
export const hasClamd = existsSync(PROGRAM)

/** Starts a real clamd that knows one virus: the test file, alone or inside another. */
export async function startClamd(): Promise<Omit<TestScanner, 'scans'>> {
  const directory = await mkdtemp(join(tmpdir(), 'market-clamd-'))
  const [database, path] = [join(directory, 'db'), join(directory, 'clamd.sock')]
  await mkdir(database)
  const settings = {
    ...{ DatabaseDirectory: database, LocalSocket: path, TemporaryDirectory: directory, Foreground: 'yes' },
    ...{ MaxScanSize: '20M', MaxFileSize: '20M', AlertExceedsMax: 'yes' },
  }
  const text = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`)
  await writeFile(join(directory, 'clamd.conf'), text.join(''))
  await writeFile(join(database, 'local.hsb'), `${sha256Hex(EICAR)}:68:Eicar-Test-Signature\n`)
  await writeFile(join(database, 'local.ndb'), `Eicar-Test-Body:0:*:${Buffer.from(EICAR).toString('hex')}\n`)
  const child: ChildProcess = spawn(PROGRAM, [`--config-file=${join(directory, 'clamd.conf')}`], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await until('clamd listens', () => {
    if (child.exitCode !== null) throw new Error(`clamd ended with ${child.exitCode}`)
    return existsSync(path)
  })
  return {
    path,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
