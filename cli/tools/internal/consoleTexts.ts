import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../../machine/paths.ts'
import { isBareText } from '../consoleTexts/bareText.ts'
import { faultsOf, namesOf, useOf } from '../consoleTexts/use.ts'

const FOLDER = 'console/texts/'
/** Where the English messages are, each with the files that it stands in. A language is a file beside it. */
export const SOURCE_TEXTS = `${FOLDER}en.json`

/** The messages of a text: each with the files that it stands in, and what is wrong, a sentence each. */
export interface ConsoleTexts {
  messages: Map<string, Set<string>>
  faults: string[]
}

/**
 * Returns the catalogue of the console's English messages, sorted. Throws if a text is in no catalogue, a
 * message is not given its values, or a language does not fit the messages.
 */
export function consoleCatalogue(): string {
  const { messages, faults } = readConsoleTexts()
  const all = [...faults, ...languageFaults(messages)]
  if (all.length > 0) throw new Error(`Texts of the console:\n${all.join('\n')}`)
  const sorted = [...messages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([message, files]) => [message, [...files]])
  return JSON.stringify(Object.fromEntries(sorted))
}

/** Returns the messages of the console's source. */
function readConsoleTexts(): ConsoleTexts {
  const texts: ConsoleTexts = { messages: new Map(), faults: [] }
  for (const path of globSync('console/**/*.{ts,tsx}', { cwd: ROOT, exclude: [`${FOLDER}**`] }).sort()) {
    addTexts(texts, path, readFileSync(`${ROOT}${path}`, 'utf8'))
  }
  for (const path of [`${FOLDER}words.ts`]) addTexts(texts, path, readFileSync(`${ROOT}${path}`, 'utf8'))
  return texts
}

/** Adds the messages of a file, and its faults. */
export function addTexts({ messages, faults }: ConsoleTexts, path: string, text: string): void {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const fault = (node: ts.Node, what: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    faults.push(`${path}:${line + 1}: ${what}`)
  }
  const visit = (node: ts.Node): void => {
    const use = useOf(node)
    if (use?.message !== undefined) {
      const places = messages.get(use.message) ?? new Set()
      messages.set(use.message, places.add(relative('console', path)))
    }
    for (const what of use ? faultsOf(use) : []) fault(node, what)
    if (!use && isBareText(node)) fault(node, `${node.getText()} is shown but stands in no catalogue: write t('…')`)
    ts.forEachChild(node, visit)
  }
  visit(source)
}

/** Returns what is wrong with the files of other languages. */
function languageFaults(messages: ReadonlyMap<string, unknown>): string[] {
  return globSync(`${FOLDER}*.json`, { cwd: ROOT, exclude: [SOURCE_TEXTS] }).flatMap((path) => {
    const texts = JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8')) as Record<string, string>
    return Object.entries(texts).flatMap(([message, text]) => {
      if (!messages.has(message)) return [`${path}: “${message}” is no message of the console any more`]
      const [wanted, found] = [namesOf(message), namesOf(text)]
      if (typeof found === 'string') return [`${path}: ${found}`]
      return String(wanted) === String(found) ? [] : [`${path}: “${text}” has other names than “${message}”`]
    })
  })
}
