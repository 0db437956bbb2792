import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { schema } from '../../api/schema.ts'
import { PACKAGED_FILE, ROOT } from '../machine/paths.ts'
import { failureText } from '../terminal/failure.ts'
import { DONE, MISUSED, readOptions } from '../terminal/options.ts'

const USAGE = `Usage: ./market version [--json]

Prints the version of this program, the commit that it is of, if that is known, and the newest migration of its databases.`

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
  return { version: schema.version, commit: commitOf(), schema: schema.migrations.at(-1)?.name ?? null }
}

function sentence(): string {
  const { version, commit, schema: newest } = release()
  return [`market ${version}`, commit ? `commit ${commit}` : undefined, `schema ${newest}`].filter(Boolean).join(', ')
}

/** Returns the commit of this checkout, or that the package was built of. Null if neither is known. */
function commitOf(): string | null {
  const packaged = `${ROOT}${PACKAGED_FILE}`
  if (existsSync(packaged)) return JSON.parse(readFileSync(packaged, 'utf8')).commit
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return `${git('rev-parse', '--show-toplevel')}/` === ROOT ? git('rev-parse', 'HEAD') : null
  } catch {
    return null
  }
}
