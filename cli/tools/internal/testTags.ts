import { existsSync, globSync, readFileSync } from 'node:fs'
import { ROOT } from '../../machine/paths.ts'

/** Pages about risks: each item of their lists, and each row about an attack, names its tests. */
const PAGES = ['docs/security.md', 'docs/owasp.md', 'docs/contracts/threats.md', 'test/attacks.md']
const SPECIFICATION = 'test/specification.md'
const UNTESTABLE = /none can$|no function of the ABI could$/
/** A tag is at the end of a string, which is a title or a part of one. */
const TAG = /\[(spec|risk) ([^\]]+)\](?= \[|['"`])/g

/**
 * Throws an Error that lists the risks of the pages and the statements of the specification without their
 * tests, and the tags of tests that are on no page.
 */
export async function checkTestTags(): Promise<void> {
  const functions = new Set(find('test/contracts/**/*.t.sol').flatMap(functionsOf))
  const named = [...find('docs/**/*.md'), ...PAGES].flatMap(
    (page) => read(page).match(/(?<=`)\w+Test\.\w+(?=`)/g) ?? [],
  )
  const wanted = numbered([...PAGES.flatMap(risksOf), ...itemsOf(SPECIFICATION).flatMap(statementsOf)])
  const found = numbered(find('test/**/*.ts').flatMap(tagsOf))
  const problems = [
    ...[...minus(wanted, found), ...minus(new Set(named), functions)].map((each) => `No test: ${each}`),
    ...minus(found, wanted).map((each) => `On no page: ${each}`),
  ]
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

const read = (path: string) => readFileSync(ROOT + path, 'utf8')
const find = (pattern: string) => globSync(pattern, { cwd: ROOT })

/** Returns the items of a page's lists, each as one line, or its rows about attacks. */
const itemsOf = (page: string) =>
  read(page)
    .replace(/\n {2,}(?=[^\s-])/g, ' ')
    .match(page === 'test/attacks.md' ? /^\| (?!attack:).*/gm : /^- .*/gm) ?? []

function risksOf(page: string): string[] {
  return itemsOf(page).flatMap((item) => {
    const [, id] = /`\[risk (\S+)\]`/.exec(item) ?? []
    const files = [...item.matchAll(/`(test\/[\w/.]+\.ts)`(?: ×(\d+))?/g)]
    if (files.length > 0) return files.flatMap(([, file, times]) => repeated(`risk ${id} in ${file}`, times))
    return /Test\.\w+`/.test(item) || UNTESTABLE.test(item) ? [] : `for this item of ${page}: ${item}`
  })
}

function statementsOf(item: string): string[] {
  const [, section] = /^- \*\*(\S+)/.exec(item) ?? []
  const statements = [...item.matchAll(/\[(\d+)(?: ×(\d+))?\] ([^[]+)/g)]
  if (statements.length === 0) return [`for a statement of section ${section}`]
  return statements.flatMap(([, number, times, text = '']) => {
    const measurement = /`(bench\/[\w/]+\.ts)`/.exec(text)?.[1]
    return measurement && existsSync(ROOT + measurement) ? [] : repeated(`spec ${section}:${number}`, times)
  })
}

const tagsOf = (file: string) =>
  [...read(file).matchAll(TAG)].flatMap(([, kind, ids = '']) =>
    ids.split(' ').map((id) => (kind === 'risk' ? `risk ${id} in ${file}` : `spec ${id}`)),
  )

function functionsOf(file: string): string[] {
  const [contracts = [], functions = []] = [/contract (\w+) /g, /function (\w+)\(/g].map((pattern) =>
    [...read(file).matchAll(pattern)].map(([, name = '']) => name),
  )
  return contracts.flatMap((contract) => functions.map((name) => `${contract}.${name}`))
}

const minus = (set: Set<string>, other: Set<string>) => [...set].filter((each) => !other.has(each))
const repeated = (text: string, times = '1') => Array<string>(Number(times)).fill(text)

/** Returns the texts, each further one of the same with its number. */
function numbered(texts: readonly string[]): Set<string> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return new Set(
    [...counts].flatMap(([text, count]) => [
      text,
      ...repeated('', `${count - 1}`).map((_, at) => `${text} (${at + 2})`),
    ]),
  )
}
