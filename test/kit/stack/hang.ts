import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as delay, setInterval as every } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MS_PER_SECOND = 1_000

/**
 * Stops a Postgres server and its sessions as a machine that hangs would (SIGSTOP). Returns how to have it go
 * on.
 */
export async function hangPostgres(pid: number): Promise<() => void> {
  // First the server, so that it starts no more processes.
  process.kill(pid, 'SIGSTOP')
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  const sessions = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []))
  const all = [pid, ...sessions]
  for (const each of all) signal(each, 'SIGSTOP')
  return () => {
    for (const each of all) signal(each, 'SIGCONT')
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

/** Gives a process a share of each second, as a machine does that has too little CPU for it. */
export async function starve(
  send: (name: NodeJS.Signals) => unknown,
  { share, seconds }: { share: number; seconds: number },
): Promise<void> {
  let second = 0
  for await (const _ of every(MS_PER_SECOND)) {
    send('SIGCONT')
    if (second++ === seconds) return
    await delay(share * MS_PER_SECOND)
    send('SIGSTOP')
  }
}

/** A server that takes connections and never answers. */
export interface SilentServer {
  /** Its host and port. */
  host: string
  stop: () => void
}

/** Starts a silent server: a database, a node or a Redis that hangs. */
export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
