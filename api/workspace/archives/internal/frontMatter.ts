import { titleOf } from '../../imports/layout.ts'
import { isMarkdown } from '../../imports/paths.ts'

/** What of a page its path does not say. */
export interface Described {
  title: string
  /** The path of the page above, without .md, if the page is not in its folder. */
  parent?: string
  /** The name of each file by its name in the folder of the archive, where the two differ. */
  files?: Readonly<Record<string, string>>
}

// What an import would take for front matter, or for a mark of its encoding.
const MISREAD = /^(?:\ufeff|---|\+\+\+)/
// What an import takes for the page of its folder.
const OF_FOLDER = /^(?:readme|_?index)$/i
// Characters that YAML has only as escapes.
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Returns a page's text, below front matter if without it an import would not make the same page of it. */
export function withFrontMatter(path: string, { title, parent, files }: Described, text: string): string {
  const isTitled = titleOf(path) === title && !isMarkdown(title) && !OF_FOLDER.test(title)
  const isPlaced = parent === undefined && files === undefined
  if (isTitled && isPlaced && !MISREAD.test(text)) return text
  const own = isPlaced ? '' : `market: ${quoted({ parent, files })}\n`
  return `---\ntitle: ${quoted(title)}\n${own}---\n\n${text}`
}

function quoted(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replaceAll(ESCAPED, escaped)
}
