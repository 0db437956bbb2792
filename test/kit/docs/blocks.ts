import { globSync, readFileSync } from 'node:fs'
import { ROOT } from '../../../cli/machine/paths.ts'

/** The languages of blocks that run as they are. */
export const RUN = ['sh', 'js', 'ts'] as const
export type RunLanguage = (typeof RUN)[number]

/** A fenced block of a page, and what its info string says of it. */
export interface Block {
  file: string
  /** Its first line in the file, from 1. */
  line: number
  language: string
  /** `fragment`: shown, and not whole. `tested=<file>`: that test runs it. */
  marks: string[]
  code: string
}

/** The pages whose blocks are held to what they say. */
export const PAGES = [
  ...globSync('docs/**/*.md', { cwd: ROOT }).sort(),
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
]

/** Returns the fenced blocks of a page, those in lists without their indentation. */
export function blocksOf(file: string): Block[] {
  const text = readFileSync(ROOT + file, 'utf8')
  return [...text.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: info = '', 3: code = '' }) => {
      const [language = '', ...marks] = info.trim().split(/\s+/)
      const lines = code.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      return { file, line: text.slice(0, index).split('\n').length, language, marks, code: lines.join('\n') }
    },
  )
}

/** Returns whether a block is run as it is. */
export function isRun({ language, marks }: Block): boolean {
  return RUN.includes(language as RunLanguage) && marks.length === 0
}
