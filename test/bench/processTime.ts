import { readdir, readFile } from 'node:fs/promises'

const TICKS_PER_SECOND = 100

/** CPU seconds (user and system) that the processes of a group have used so far, ended children included. Linux only. */
export async function groupCpuSeconds(leaderPid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return stats.reduce((sum, stat) => sum + secondsInGroup(stat, leaderPid), 0)
}

function secondsInGroup(stat: string, leaderPid: number): number {
  // The command's name, in parentheses, may itself hold spaces: count the fields after it (proc(5)).
  const [, , group, , , , , , , , , ...times] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(group) !== leaderPid) return 0
  return times.slice(0, 4).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}
