import { syntaxTree } from '@codemirror/language'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import { t } from '../../../../../texts/texts.ts'
import { BLOCKS, type BlockKind, blockChange } from './blockKinds.ts'
import { namesFacet } from './names.ts'

const MOST = 20
// `/` begins a command at the start of a word, `[[` a reference, `@` a mention.
const COMMAND = /(?:^|\s)\/((?:[\p{L}\p{N}][\p{L}\p{N} -]*)?)$/u
const REFERENCE = /(!?)\[\[([^[\]|]*)$/
const MENTION = /(?:^|[\s(])@((?:[\p{L}\p{N}][\p{L}\p{N} .'_-]*)?)$/u
const CODE = /^(?:FencedCode|CodeBlock|CodeText|InlineCode|CodeInfo)$/

/** One thing that can be put where the caret is. */
export interface Option {
  label: string
  /** What it is, in a word or two. */
  detail: string
  /** Whether a file is to be chosen. */
  isFile?: boolean | undefined
  /** What choosing it does to a text, in the place of what was typed for it. */
  change: (state: EditorState, from: number, to: number) => TransactionSpec
}

/** What is offered for what stands before the caret, from where to where. */
export interface Offer {
  title: string
  from: number
  to: number
  options: readonly Option[]
}

/** Returns what is offered at the caret: blocks after `/`, pages and files after `[[`, people after `@`. */
export function offerAt(state: EditorState): Offer | undefined {
  const { main } = state.selection
  if (!main.empty || isInCode(state, main.head)) return undefined
  const line = state.doc.lineAt(main.head)
  const before = line.text.slice(0, main.head - line.from)
  for (const make of [commands, references, mentions]) {
    const { typed, title, options } = make(state, before) ?? {}
    if (typed !== undefined && title && options?.length)
      return { title, options: options.slice(0, MOST), from: main.head - typed.length, to: main.head }
  }
  return undefined
}

type Made = { typed: string; title: string; options: Option[] } | undefined

function commands(_state: EditorState, before: string): Made {
  const [, query] = COMMAND.exec(before) ?? []
  if (query === undefined) return undefined
  const options = matching(BLOCKS, query, ({ label }) => t(label)).map(optionOf)
  return { typed: `/${query}`, title: t('Blocks'), options }
}

function optionOf(kind: BlockKind): Option {
  const { label, detail, isFile } = kind
  return { label: t(label), detail, isFile, change: (state, from, to) => blockChange(state, { from, to }, kind) }
}

function references(state: EditorState, before: string): Made {
  const [typed, mark = '', query = ''] = REFERENCE.exec(before) ?? []
  if (typed === undefined) return undefined
  const { pages, files } = state.facet(namesFacet).listed
  const named = [
    ...files.map((name) => ({ name, detail: t('File') })),
    ...(mark === '' ? pages.map((name) => ({ name, detail: t('Page') })) : []),
  ]
  const options = matching(named, query, ({ name }) => name).map(({ name, detail }) => ({
    label: name,
    detail,
    change: (at: EditorState, from: number, to: number) => put(at, from, to, `${mark}[[${name}]]`),
  }))
  return { typed, title: t('Pages and files'), options }
}

function mentions(state: EditorState, before: string): Made {
  const [, query] = MENTION.exec(before) ?? []
  if (query === undefined) return undefined
  const { people } = state.facet(namesFacet).listed
  const options = matching(people, query, ({ name }) => name).map(({ urn, name }) => ({
    label: name,
    detail: urn.startsWith('market:agent') ? t('Agent') : t('Person'),
    change: (at: EditorState, from: number, to: number) => put(at, from, to, `@${urn} `),
  }))
  return { typed: `@${query}`, title: t('People'), options }
}

/** Puts a text in the place of what was typed, and of the brackets that already close it. */
function put(state: EditorState, from: number, to: number, insert: string): TransactionSpec {
  const isClosed = insert.endsWith(']]') && state.sliceDoc(to, to + 2) === ']]'
  return { changes: { from, to: isClosed ? to + 2 : to, insert }, selection: { anchor: from + insert.length } }
}

/** Returns the things whose names have what was typed: first those that begin with it. */
function matching<Thing>(things: readonly Thing[], query: string, nameOf: (thing: Thing) => string): Thing[] {
  const wanted = query.toLowerCase()
  const found = things.filter((thing) => nameOf(thing).toLowerCase().includes(wanted))
  const isFirst = (thing: Thing) => nameOf(thing).toLowerCase().startsWith(wanted)
  return [...found.filter(isFirst), ...found.filter((thing) => !isFirst(thing))]
}

function isInCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent)
    if (CODE.test(node.name) && at > node.from) return true
  return false
}
