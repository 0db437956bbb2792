import { syntaxTree } from '@codemirror/language'
import type { EditorState, Range } from '@codemirror/state'
import { Decoration } from '@codemirror/view'
import { activeLines, type Span, touches } from './active.ts'
import type { NodeRef } from './markdown.ts'
import { namesFacet } from './names.ts'
import { Bullet, Checkbox, Label, Rule } from './widgets.ts'

// As GitHub and Obsidian write them: > [!note] Title
const CALLOUT = /^>[ \t]?\[!([a-z][a-z-]{0,30})\][+-]?[ \t]*/i
/** List items are indented by classes, up to this many characters. */
export const MOST_INDENTED = 16

/** What is decorated: a part of a text, and the lines whose marks are shown. */
interface Pass extends Span {
  state: EditorState
  active: readonly Span[]
  ranges: Range<Decoration>[]
}

const HANDLERS: Record<string, (pass: Pass, node: NodeRef) => void> = {
  HeaderMark: headerMark,
  Emphasis: (pass, { from, to }) => mark(pass, 'cm-em', from, to),
  StrongEmphasis: (pass, { from, to }) => mark(pass, 'cm-strong', from, to),
  Strikethrough: (pass, { from, to }) => mark(pass, 'cm-del', from, to),
  EmphasisMark: (pass, { from, to }) => hide(pass, from, to),
  StrikethroughMark: (pass, { from, to }) => hide(pass, from, to),
  InlineCode: (pass, { from, to }) => mark(pass, 'cm-inlinecode', from, to),
  CodeMark: codeMark,
  FencedCode: (pass, node) => lines(pass, 'cm-code', node),
  CodeBlock: (pass, node) => lines(pass, 'cm-code', node),
  Table: (pass, node) => lines(pass, 'cm-tablesource', node),
  Escape: (pass, { from }) => hide(pass, from, from + 1),
  Link: link,
  Autolink: autolink,
  URL: url,
  Image: link,
  Reference: reference,
  Mention: mention,
  Blockquote: quote,
  QuoteMark: (pass, { to, from }) => hide(pass, from, skipSpace(pass.state, to)),
  ListMark: listMark,
  Task: task,
  HorizontalRule: (pass, { from, to }) => replace(pass, new Rule(), from, to),
}

/**
 * Returns the decorations that show a part of a Markdown text as it will look. The text stays as it is; its
 * marks are hidden but on the lines of the caret.
 */
export function marksIn(state: EditorState, from = 0, to = state.doc.length): Range<Decoration>[] {
  const pass: Pass = { state, from, to, active: activeLines(state), ranges: [] }
  syntaxTree(state).iterate({
    from,
    to,
    enter: (node) => {
      const [, level] = /^(?:ATX|Setext)Heading([1-6])$/.exec(node.name) ?? []
      if (level) lines(pass, `cm-heading cm-h${level}`, node)
      HANDLERS[node.name]?.(pass, node)
    },
  })
  return pass.ranges
}

function mark({ ranges }: Pass, name: string, from: number, to: number): void {
  if (from < to) ranges.push(Decoration.mark({ class: name }).range(from, to))
}

/** Hides a part of a line, unless the caret is on the line, or within `whole`. */
function hide({ active, ranges }: Pass, from: number, to: number, whole: Span = { from, to }): void {
  if (from < to && !touches(active, whole.from, whole.to)) ranges.push(Decoration.replace({}).range(from, to))
}

function replace({ active, ranges }: Pass, widget: Label | Rule | Bullet | Checkbox, from: number, to: number): void {
  if (!touches(active, from, to)) ranges.push(Decoration.replace({ widget }).range(from, to))
}

/** Gives the lines of a block a class, as far as they are within the pass. */
function lines({ state, ranges, ...pass }: Pass, name: string, { from, to }: Span): void {
  const end = Math.min(to, pass.to)
  for (let at = state.doc.lineAt(Math.max(from, pass.from)); ; at = state.doc.line(at.number + 1)) {
    const edge = `${at.from <= from ? ' cm-first' : ''}${at.to >= to ? ' cm-last' : ''}`
    ranges.push(Decoration.line({ class: name + edge }).range(at.from))
    if (at.to >= end) return
  }
}

function headerMark(pass: Pass, { from, to, node }: NodeRef): void {
  const heading = node.parent
  if (!heading || heading.name.startsWith('Setext')) hide(pass, from, to, heading ?? { from, to })
  else if (from === heading.from) hide(pass, from, skipSpace(pass.state, to))
  else hide(pass, from - 1, to)
}

function codeMark(pass: Pass, { from, to, node }: NodeRef): void {
  hide(pass, from, to, node.parent?.name === 'FencedCode' ? node.parent : { from, to })
}

/** Shows the words of a link or a picture of another site, without its address. */
function link(pass: Pass, { name, from, to, node }: NodeRef): void {
  const [first, second] = node.getChildren('LinkMark')
  if (!first || !second || !(node.getChild('URL') || node.getChild('LinkLabel'))) return
  mark(pass, name === 'Image' ? 'cm-muted' : 'cm-link', first.to, second.from)
  hide(pass, from, first.to, { from, to })
  hide(pass, second.from, to, { from, to })
}

function autolink(pass: Pass, { node }: NodeRef): void {
  for (const { from, to } of node.getChildren('LinkMark')) hide(pass, from, to)
}

function url(pass: Pass, { from, to, node }: NodeRef): void {
  if (node.parent?.name !== 'Link' && node.parent?.name !== 'Image') mark(pass, 'cm-link', from, to)
}

function reference(pass: Pass, { from, to }: NodeRef): void {
  const { state, active } = pass
  const text = state.sliceDoc(from, to)
  const names = state.facet(namesFacet)
  const start = text.indexOf('[[') + 2
  const within = text.slice(start, -2)
  // A picture takes its place (blocks.ts).
  if (text.startsWith('!') && names.pictureOf(within) && !touches(active, from, to)) return
  const bar = /\\?\|(?=[^|]*$)/.exec(within)
  const shownFrom =
    bar && !/^\d+(?:x\d+)?$/.test(within.slice(bar.index + bar[0].length)) ? bar.index + bar[0].length : 0
  const shownTo = bar && shownFrom === 0 ? bar.index : within.length
  mark(pass, names.kindOf(within) === 'missing' ? 'cm-missing' : 'cm-link', from, to)
  hide(pass, from, from + start + shownFrom)
  hide(pass, from + start + shownTo, to)
}

function mention(pass: Pass, { from, to }: NodeRef): void {
  const urn = pass.state.sliceDoc(from + 1, to)
  replace(pass, new Label(`@${pass.state.facet(namesFacet).nameOf(urn)}`, 'cm-mention'), from, to)
}

function quote(pass: Pass, node: NodeRef): void {
  lines(pass, 'cm-quote', node)
  const { from, text } = pass.state.doc.lineAt(node.from)
  const [head, kind = ''] = CALLOUT.exec(text.slice(node.from - from)) ?? []
  if (head === undefined || node.from < pass.from) return
  const begin = node.from + head.indexOf('[')
  const end = node.from + head.length
  pass.ranges.push(Decoration.line({ class: 'cm-callout' }).range(from))
  if (end < from + text.length) hide(pass, begin, end)
  else replace(pass, new Label(kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase(), ''), begin, end)
}

function listMark(pass: Pass, { from, to, node }: NodeRef): void {
  const { state, ranges } = pass
  const line = state.doc.lineAt(from)
  const item = node.parent
  const hasTask = item?.getChild('Task') != null
  const isShown = touches(pass.active, line.from, line.to)
  const end = skipSpace(state, to)
  const columns = hasTask && isShown ? end + 4 - line.from : end - line.from
  ranges.push(Decoration.line({ class: `cm-item cm-item-${Math.min(columns, MOST_INDENTED)}` }).range(line.from))
  mark(pass, 'cm-prefix', line.from, end)
  if (hasTask) return
  if (item?.parent?.name === 'BulletList') replace(pass, new Bullet(), from, to)
}

/** Shows `- [ ] what` as a box and its words. */
function task(pass: Pass, { from, to, node }: NodeRef): void {
  const marker = node.getChild('TaskMarker')
  const bullet = node.parent?.getChild('ListMark')
  if (!marker || !bullet) return
  const isDone = /x/i.test(pass.state.sliceDoc(marker.from, marker.to))
  replace(
    pass,
    new Checkbox(isDone, pass.state.sliceDoc(marker.to, pass.state.doc.lineAt(from).to).trim()),
    bullet.from,
    marker.to,
  )
  if (isDone) mark(pass, 'cm-done', skipSpace(pass.state, marker.to), to)
}

function skipSpace(state: EditorState, at: number): number {
  return state.sliceDoc(at, at + 1) === ' ' ? at + 1 : at
}
