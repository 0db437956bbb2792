import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Where an administrator puts units. */
export const UNITS = '/etc/systemd/system'

/** What systemd gives the process of a unit. */
export interface Unit {
  /** The account that it runs as. */
  user: string
  command: string[]
  /**
   * Its variables. Files of secrets have the paths that the unit takes them from: only their owner may read
   * them.
   */
  env: Record<string, string>
}

/**
 * Reads the unit of a service, or one of several as `market-api@8080`, as systemd does as far as our units
 * go. Throws an Error where the unit or its file of variables cannot be read, or names no account and
 * command.
 */
export async function readUnit(given: string, folder = UNITS): Promise<Unit> {
  const name = given.replace(/\.service$/, '')
  const [, template = name, instance = ''] = /^(.+?@)(.*)$/.exec(name) ?? []
  const settings = settingsOf(await readFile(join(folder, `${basename(template)}.service`), 'utf8'))
  const values = (wanted: string) => settings.flatMap(([key, value]) => (key === wanted ? [value] : []))
  const credentials = new Map(
    values('LoadCredential').map((entry) => entry.split(':', 2) as [credential: string, path: string]),
  )
  const env: Record<string, string> = {}
  for (const path of values('EnvironmentFile'))
    Object.assign(env, assignments((await readFile(path, 'utf8')).split('\n')))
  for (const pairs of values('Environment')) Object.assign(env, assignments(pairs.split(' ')))
  for (const [variable, value] of Object.entries(env)) {
    const credential = /^%d\/(.+)$/.exec(value)?.[1]
    env[variable] =
      (credential && credentials.get(credential)) ?? value.replaceAll('%i', instance).replaceAll('%C', '/var/cache')
  }
  const [user, command] = [values('User').at(-1), values('ExecStart').at(-1)]
  if (!user || !command) throw new Error(`${given} has no User or no ExecStart`)
  return { user, command: command.split(' '), env }
}

/**
 * Goes on as another account, for good. Throws an Error if this process may not, or there is no such account.
 */
export function becomeAccount(user: string): void {
  if (process.getuid?.() !== 0)
    throw new Error('Run it as root: it reads the secrets of the unit, and goes on as its account.')
  const idsOf = (option: string) =>
    execFileSync('id', [option, user], { encoding: 'utf8' }).trim().split(' ').map(Number)
  const [[group = 0], groups] = [idsOf('-g'), idsOf('-G')]
  process.setgroups?.(groups)
  process.setgid?.(group)
  process.setuid?.(user)
}

function settingsOf(text: string): [key: string, value: string][] {
  return [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value])
}

function assignments(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, variable = '', value = ''] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line.trim()) ?? []
      return variable === '' ? [] : [[variable, value]]
    }),
  )
}
