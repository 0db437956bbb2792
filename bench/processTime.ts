import { readdir, readFile } from 'node:fs/promises'

const TICKS_PER_SECOND = 100
const NANOSECONDS = 1_000_000_000

/**
 * CPU seconds (user and system) that a process, its group and its children have used so far, those that ended
 * included. The processes that Postgres serves its connections with are children of its first, each in a
 * group of its own. Linux only.
 */
export function cpuSecondsOf(pid: number): Promise<number> {
  return sumOver(pid, async (_each, [user = 0, system = 0, ofEndedUser = 0, ofEndedSystem = 0]) => {
    return (user + system + ofEndedUser + ofEndedSystem) / TICKS_PER_SECOND
  })
}

/**
 * The same to the nanosecond, for what is short: ticks are cut off at each of many processes. Without what
 * has ended, so for processes and threads that last through the measurement.
 */
export function runningSecondsOf(pid: number): Promise<number> {
  return sumOver(pid, async (each) => {
    const threads = await readdir(`/proc/${each}/task`).catch(() => [])
    const stats = await Promise.all(
      threads.map((thread) => readFile(`/proc/${each}/task/${thread}/schedstat`, 'utf8').catch(() => '0')),
    )
    return stats.reduce((sum, stat) => sum + Number(stat.split(' ', 1)[0]), 0) / NANOSECONDS
  })
}

async function sumOver(
  pid: number,
  secondsOf: (each: string, ticks: readonly number[]) => Promise<number>,
): Promise<number> {
  const running = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))
  const used = await Promise.all(
    running.map(async (each) => {
      const stat = await readFile(`/proc/${each}/stat`, 'utf8').catch(() => '')
      // The command's name, in parentheses, may itself hold spaces: count the fields after it (proc(5)).
      const [, parent, group, , , , , , , , , ...times] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(group) === pid || Number(parent) === pid ? secondsOf(each, times.map(Number)) : 0
    }),
  )
  return used.reduce((sum, seconds) => sum + seconds, 0)
}
