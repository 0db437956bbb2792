import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../cli/machine/ports.ts'
import { until } from './until.ts'

const PROGRAM = 'redis-server'

/** A Redis that forgets everything when it ends. */
export interface TestRedis {
  url: string
  /** Ends it and starts another in its place, which is empty. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

/** Why tests with Redis are left out here, as Node's `skip` takes it; false where it is installed. */
export function withoutRedis(): string | false {
  try {
    execFileSync(PROGRAM, ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return `${PROGRAM} is not installed`
  }
}

/** Starts a Redis on a free port, in a folder of its own. */
export async function startRedis(): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'market-redis-'))
  const port = await freePort()
  const start = async () => {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no']
    const child = spawn(PROGRAM, options, { stdio: 'ignore' })
    await until('Redis answers', async () => (await ask(port, 'PING')) === '+PONG')
    return async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  }
  let end = await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    restart: async () => {
      await end()
      end = await start()
    },
    stop: async () => {
      await end()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Removes all that a Redis has. */
export async function emptyRedis(url: string): Promise<void> {
  if ((await ask(Number(new URL(url).port), 'FLUSHALL')) !== '+OK') throw new Error('Redis was not emptied')
}

async function ask(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write(`${command}\r\n`)
    const [answer] = await once(socket, 'data')
    return String(answer).trim()
  } catch {
    return ''
  } finally {
    socket.destroy()
  }
}
