// What the page asks of systemctl, where systemd is not the first process: starts services by their units,
// each as its account, with its own credentials and folders. It restarts nothing and isolates nothing.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readUnit } from '../../../cli/doctor/internal/unit.ts'

const CREDENTIALS = '/run/credentials'
const LOGS = '/var/log/market'
const [OWNER_ONLY, OWNER_READS, ALL_PASS] = [0o700, 0o400, 0o755]

const [command = '', ...args] = process.argv.slice(2)
if (command === 'enable' && args[0] === '--now') for (const unit of args.slice(1)) await start(unit)
else if (command === 'restart' && args.join() === 'nginx') restartNginx()
else if (command !== 'daemon-reload') throw new Error(`systemctl ${command} ${args.join(' ')} is not known here`)

async function start(name: string): Promise<void> {
  if (name.endsWith('.target')) return
  const { user, command: words, env } = await readUnit(name)
  const [uid = 0, gid = 0] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, user])))
  mkdirSync(CREDENTIALS, { recursive: true })
  // Whatever the umask is.
  chmodSync(CREDENTIALS, ALL_PASS)
  mkdirSync(LOGS, { recursive: true })
  const credentials = folderOf({ uid, gid }, join(CREDENTIALS, name))
  const given: Record<string, string> = { PATH: '/usr/bin:/bin' }
  for (const [variable, value] of Object.entries(env)) {
    given[variable] = variable.endsWith('_FILE') ? join(credentials, basename(value)) : value
    if (variable.endsWith('_FILE')) handOut(value, String(given[variable]), { uid, gid })
    if (variable === 'NODE_COMPILE_CACHE') folderOf({ uid, gid }, value)
  }
  const log = openSync(join(LOGS, `${name}.log`), 'a')
  const account = ['--reuid', String(uid), '--regid', String(gid), '--init-groups', '--no-new-privs', '--']
  spawn('setpriv', [...account, ...words], {
    cwd: '/',
    env: given,
    detached: true,
    stdio: ['ignore', log, log],
  }).unref()
}

function folderOf({ uid, gid }: { uid: number; gid: number }, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  chownSync(folder, uid, gid)
  return folder
}

/** Copies a secret to where the service alone reads it. */
function handOut(from: string, to: string, { uid, gid }: { uid: number; gid: number }): void {
  copyFileSync(from, to)
  chownSync(to, uid, gid)
  chmodSync(to, OWNER_READS)
}

function restartNginx(): void {
  const pid = existsSync('/run/nginx.pid') ? readFileSync('/run/nginx.pid', 'utf8').trim() : ''
  if (pid !== '') execFileSync('nginx', ['-s', 'stop'])
  execFileSync('nginx', { stdio: 'inherit' })
}
