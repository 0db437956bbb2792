import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ROOT } from '../../machine/paths.ts'

const MAX_COMMENT = 110
const MAX_MARKDOWN = 300
const SHOWN = 20
/** Written by programs, or released and never changed. */
const OTHERS = /(^|\/)generated\/|^api\/migrations\/1\.0\.0-rc\.1\/|^test\/.*\/fixtures\//
const COMMENTS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['.ts', '.tsx', '.css', '.sol'].map((name) => [name, /^\s*(?:\/\/|\/?\*)/])),
  // The body of a function is compared with that of a migration that was released.
  '.sql': /^--/,
  '': /^\s*#(?!!)/,
  '.sh': /^\s*#(?!!)/,
}
/** What a tool reads has to be on one line, and a word cannot be broken. */
const UNBROKEN = /biome-ignore|shellcheck |SPDX|@ts-|^\W*\S+$/

/**
 * Throws an Error that names comment lines over 110 columns, and lines of Markdown over 300 that are no row
 * of a table.
 */
export async function checkLineLengths(): Promise<void> {
  const paths = execFileSync('git', ['-C', ROOT, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split(
    '\0',
  )
  const found: string[] = []
  for (const path of paths) {
    if (path === '' || OTHERS.test(path) || !isChecked(path)) continue
    const text = await readFile(ROOT + path, 'utf8')
    found.push(...longLines(path, text).map((line) => `${path}:${line}`))
  }
  if (found.length === 0) return
  const more = found.length > SHOWN ? `\nand ${found.length - SHOWN} more` : ''
  throw new Error(`These lines are too long:\n${found.slice(0, SHOWN).join('\n')}${more}`)
}

/** Returns the numbers of the lines of a file that are too long. */
function longLines(path: string, text: string): number[] {
  const comment = COMMENTS[extname(path)]
  const isTooLong = comment
    ? (line: string) => line.length > MAX_COMMENT && comment.test(line) && !UNBROKEN.test(line)
    : (line: string) => line.length > MAX_MARKDOWN && !line.startsWith('|')
  return text.split('\n').flatMap((line, index) => (isTooLong(line) ? index + 1 : []))
}

function isChecked(path: string): boolean {
  return extname(path) in COMMENTS
    ? extname(path) !== '' || path === 'market' || path === '.ci/run'
    : path.endsWith('.md')
}
