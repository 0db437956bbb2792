import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  syntaxHighlighting,
  type syntaxTree,
} from '@codemirror/language'
import { tags } from '@lezer/highlight'
import {
  Autolink,
  type InlineContext,
  type MarkdownConfig,
  parser,
  Strikethrough,
  Table,
  TaskList,
} from '@lezer/markdown'

/** A node of the tree of a text, while the tree is walked. */
export type NodeRef = Parameters<Parameters<ReturnType<typeof syntaxTree>['iterate']>[0]['enter']>[0]

const REFERENCE = /^!?\[\[[^[\]\r\n]+\]\]/
const MENTION = /^@market:(?:human|agent):[0-9a-f-]{36}/

// A `[` or `!` begins a reference, an `@` a mention.
const [BRACKET, MARK, AT] = [91, 33, 64]

/** What pages have besides GFM: `[[page]]`, `![[file]]` and `@market:human:…`. */
const ours: MarkdownConfig = {
  defineNodes: ['Reference', 'Mention'],
  parseInline: [
    {
      name: 'Reference',
      before: 'Link',
      parse: (context, next, at) => {
        if (next === AT) return node(context, 'Mention', MENTION, at)
        return next === BRACKET || next === MARK ? node(context, 'Reference', REFERENCE, at) : -1
      },
    },
  ],
}

function node(context: InlineContext, name: string, pattern: RegExp, at: number): number {
  const [found] = pattern.exec(context.slice(at, context.end)) ?? []
  return found === undefined ? -1 : context.addElement(context.elt(name, at, at + found.length))
}

const highlighting = HighlightStyle.define([
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--accent)' },
  { tag: [tags.url, tags.processingInstruction, tags.labelName], color: 'var(--ink-2)' },
])

/** Parses Markdown as pages have it, and colours it. */
export const markdown = [
  new Language(
    defineLanguageFacet(),
    parser.configure([Table, TaskList, Strikethrough, Autolink, ours]),
    [],
    'markdown',
  ),
  syntaxHighlighting(highlighting),
]
