import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The exit codes of the commands for people. `./market verify` and `./market audit` exit 1 if a check fails.
 */
export const [DONE, FAILED, MISUSED] = [0, 1, 2]

/** Thrown for a wrong call of a command. The message says what to write instead; the process exits with 2. */
export class Misuse extends Error {}

/** Parses the options of a command, with `--help` and `--json`. Throws a Misuse for an unknown option. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: Options) {
  const all = {
    ...options,
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const
  try {
    return parseArgs({ args, options: all, allowPositionals: true })
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error))
  }
}
