import { readdir, readFile } from 'node:fs/promises'

const TICKS_PER_SECOND = 100

/**
 * CPU seconds (user and system) that a process, its group and its children have used so far, those that ended included.
 * The processes that Postgres serves its connections with are children of its first, each in a group of its own. Linux only.
 */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const running = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))
  const stats = await Promise.all(running.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return stats.reduce((sum, stat) => sum + secondsIn(stat, pid), 0)
}

function secondsIn(stat: string, pid: number): number {
  // The command's name, in parentheses, may itself hold spaces: count the fields after it (proc(5)).
  const [, parent, group, , , , , , , , , ...times] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(group) !== pid && Number(parent) !== pid) return 0
  return times.slice(0, 4).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}
