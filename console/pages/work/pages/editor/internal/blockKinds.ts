import type { EditorState, TransactionSpec } from '@codemirror/state'
import { type Message, msg } from '../../../../../texts/texts.ts'
import type { Span } from './active.ts'

/** A kind of block: what its line begins with, or a text of its own, in which ^ is where the caret goes. */
export interface BlockKind {
  label: Message
  detail: string
  prefix?: string
  text?: string
  /** A file is chosen: it is put there once it is uploaded. */
  isFile?: true
}

/** The blocks that `/` offers. */
export const BLOCKS: readonly BlockKind[] = [
  { label: msg('Heading 1'), detail: '#', prefix: '# ' },
  { label: msg('Heading 2'), detail: '##', prefix: '## ' },
  { label: msg('Heading 3'), detail: '###', prefix: '### ' },
  { label: msg('Bulleted list'), detail: '-', prefix: '- ' },
  { label: msg('Numbered list'), detail: '1.', prefix: '1. ' },
  { label: msg('To-do list'), detail: '- [ ]', prefix: '- [ ] ' },
  { label: msg('Table'), detail: '| |', text: '| ^ |  |\n| --- | --- |\n|  |  |' },
  { label: msg('Picture or file'), detail: '![[', prefix: '', isFile: true },
  { label: msg('Link to a page'), detail: '[[', prefix: '[[' },
  { label: msg('Mention'), detail: '@', prefix: '@' },
  { label: msg('Quote'), detail: '>', prefix: '> ' },
  { label: msg('Callout'), detail: '> [!note]', prefix: '> [!note] ' },
  { label: msg('Code block'), detail: '```', text: '```\n^\n```' },
  { label: msg('Divider'), detail: '---', text: '---\n^' },
]

const CARET = '^'
const PREFIX = /^([ \t]*)(?:#{1,6} |[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] |> (?:\[![a-z-]+\] ?)?)?/
const ITEM = /^([ \t]*)(?:([-*+])|(\d{1,8})([.)]))([ \t]+)(\[[ xX]\][ \t]+)?/
const QUOTE = /^[ \t]*>[ \t]?/

/**
 * Returns the change that makes a block of the line at the caret, or puts one below it, in the place of what
 * was typed.
 */
export function blockChange(state: EditorState, typed: Span, { prefix, text }: BlockKind): TransactionSpec {
  const line = state.doc.lineAt(typed.from)
  const kept = line.text.slice(0, typed.from - line.from)
  const rest = line.text.slice(typed.to - line.from)
  if (prefix === '' || prefix === '[[' || prefix === '@')
    return { changes: { ...typed, insert: prefix }, selection: { anchor: typed.from + prefix.length } }
  if (prefix !== undefined) {
    const words = kept.replace(PREFIX, `$1${prefix}`)
    return {
      changes: { from: line.from, to: typed.to, insert: words },
      selection: { anchor: line.from + words.length },
    }
  }
  const isBlank = (kept + rest).trim() === ''
  const isAfterText = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== ''
  const isBeforeText = line.number < state.doc.lines && state.doc.line(line.number + 1).text.trim() !== ''
  const before = isBlank ? (isAfterText ? '\n' : '') : `${kept.trimEnd()}${rest}\n\n`
  const [head = '', tail = ''] = (text ?? '').split(CARET)
  const insert = state.toText(
    (before + head + tail + (isBeforeText && !head.endsWith('\n') ? '\n' : '')).replaceAll('\n', state.lineBreak),
  )
  const anchor = line.from + before.length + head.length
  return { changes: { from: line.from, to: line.to, insert }, selection: { anchor } }
}

/** Returns what the next line of a list or a quote begins with, and whether this line has nothing else. */
export function continuationOf(text: string): { next: string; isEmpty: boolean } | undefined {
  const [quote] = QUOTE.exec(text) ?? []
  if (quote !== undefined) return { next: quote, isEmpty: text === quote }
  const [head, indent = '', bullet, number, end, space, box] = ITEM.exec(text) ?? []
  if (head === undefined) return undefined
  const mark = bullet ?? `${Number(number) + 1}${end}`
  return { next: `${indent}${mark}${space}${box ? '[ ] ' : ''}`, isEmpty: text === head }
}
