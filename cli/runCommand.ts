import type { Command } from './commands.ts'
import { Misuse } from './terminal/options.ts'

/**
 * Runs a sub-command and returns its exit code. For a plain command, prints its usage on `--help` without
 * starting its work, and throws a Misuse for an unknown argument.
 */
export async function runCommand(name: string, command: Command, given: string[]): Promise<number | undefined> {
  const args = given[0] === '-h' ? ['--help'] : given
  const { plain, summary, load } = command
  if (!plain) return (await load()).run(args)
  const { about, flags = [] } = plain
  if (args.includes('--help')) {
    const synopsis = [`./market ${name}`, ...flags.map((flag) => `[${flag}]`)].join(' ')
    console.log(`Usage: ${synopsis}\n\n${summary.charAt(0).toUpperCase()}${summary.slice(1)}. ${about}`)
    return 0
  }
  const unknown = args.find((arg) => !flags.includes(arg))
  if (unknown !== undefined) throw new Misuse(`${name} does not know ${unknown}. ./market ${name} --help tells more.`)
  return (await load()).run(args)
}
