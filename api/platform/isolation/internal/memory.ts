import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns how many bytes of memory a process and its descendants use; 0 once it has ended. */
export async function memoryOf(pid: number): Promise<number> {
  return process.platform === 'linux' ? memoryOfTree(pid) : memoryOfProcess(pid)
}

async function memoryOfTree(pid: number): Promise<number> {
  const [status, children] = await Promise.all(
    [`/proc/${pid}/status`, `/proc/${pid}/task/${pid}/children`].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status ?? '')?.[1] ?? 0) * 1_024
  const others = (children ?? '').split(' ').filter((part) => part !== '')
  const taken = await Promise.all(others.map((child) => memoryOfTree(Number(child))))
  return taken.reduce((sum, bytes) => sum + bytes, own)
}

async function memoryOfProcess(pid: number): Promise<number> {
  const { stdout } = await run('/bin/ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return Number(stdout.trim()) * 1_024
}
