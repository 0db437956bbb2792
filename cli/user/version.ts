import { execFileSync } from 'node:child_process'
import { schema } from '../../api/schema.ts'
import { ROOT } from '../machine/paths.ts'
import { failureText } from '../terminal/failure.ts'
import { DONE, MISUSED, readOptions } from '../terminal/options.ts'

const USAGE = `Usage: ./market version [--json]

Prints the version of this program, the commit of its checkout, if it is one, and the newest migration of its databases.`

/** Prints which release this is. */
export async function run(args: string[]): Promise<number> {
  try {
    const { values } = readOptions(args, {})
    if (values.help) console.log(USAGE)
    else if (values.json) console.log(JSON.stringify(release()))
    else console.log(sentence())
    return DONE
  } catch (error) {
    console.error(failureText(error))
    return MISUSED
  }
}

function release() {
  return { version: schema.version, commit: checkedOutCommit(), schema: schema.migrations.at(-1)?.name ?? null }
}

function sentence(): string {
  const { version, commit, schema: newest } = release()
  return [`market ${version}`, commit ? `commit ${commit}` : undefined, `schema ${newest}`].filter(Boolean).join(', ')
}

/** Returns null where there is no git, or the program is not in a checkout of its own. */
function checkedOutCommit(): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return `${git('rev-parse', '--show-toplevel')}/` === ROOT ? git('rev-parse', 'HEAD') : null
  } catch {
    return null
  }
}
