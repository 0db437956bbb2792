import { Marked, type Token, type Tokens } from 'marked'

const REFERENCE = /^(!?)\[\[([^[\]\r\n]+)\]\]/
// A link whose words have more than letters, to what a reference leads to: [**words**](<[[Page]]>).
const REFERENCE_LINK = /^\[((?:[^[\]\n]|!?\[\[[^[\]\n]{1,1000}\]\]){1,1000})\]\(<\[\[([^[\]\r\n]+)\]\]>\)/
const MENTION = /^@(market:(?:human|agent):[0-9a-f-]{36})/
const FOOTNOTE = /^\[\^([^\]\s]{1,100})\]:[ \t]*([^\n]*(?:\n(?: {2,}|\t)[^\n]*)*)(?:\n+|$)/
const NOTE = /^\[\^([^\]\s]{1,100})\]/
// As GitHub and Obsidian write them: > [!note] Title
const CALLOUT = /^\[!([a-z][a-z-]{0,30})\][+-]?[ \t]*([^\n]*)\n?/i

const marked = new Marked({
  extensions: [
    {
      name: 'reference',
      level: 'inline',
      start: (src) => src.search(/!?\[\[/),
      tokenizer(src) {
        const [raw, embed, name] = REFERENCE.exec(src) ?? []
        return raw === undefined ? undefined : { type: 'reference', raw, isEmbedded: embed === '!', name }
      },
    },
    {
      name: 'referenceLink',
      level: 'inline',
      start: (src) => src.indexOf('['),
      tokenizer(src) {
        const [raw, words = '', name] = REFERENCE_LINK.exec(src) ?? []
        if (raw === undefined) return undefined
        return { type: 'referenceLink', raw, name, tokens: this.lexer.inlineTokens(words) }
      },
    },
    {
      name: 'mention',
      level: 'inline',
      start: (src) => src.search(/@market:/),
      tokenizer(src) {
        const [raw, urn] = MENTION.exec(src) ?? []
        return raw === undefined ? undefined : { type: 'mention', raw, urn }
      },
    },
    {
      name: 'footnote',
      level: 'block',
      start: (src) => src.search(/(?<=\n)\[\^/),
      tokenizer(src) {
        const [raw, id, text = ''] = FOOTNOTE.exec(src) ?? []
        return raw === undefined ? undefined : { type: 'footnote', raw, id, tokens: this.lexer.inlineTokens(text) }
      },
    },
    {
      name: 'note',
      level: 'inline',
      start: (src) => src.indexOf('[^'),
      tokenizer(src) {
        const [raw, id] = NOTE.exec(src) ?? []
        return raw === undefined ? undefined : { type: 'note', raw, id }
      },
    },
  ],
})

/** Returns the tokens of a Markdown text: those of GFM, references, mentions, and footnotes. */
export function tokensOf(text: string): Token[] {
  return marked.lexer(text)
}

/** A heading of a text: how deep it is, its words without marks, and the id of its section. */
export interface Heading {
  depth: number
  words: string
  id: string
}

/** Returns the headings of a text, but for those in quotes and lists. */
export function headingsOf(text: string): Heading[] {
  return tokensOf(text)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ depth, text: written, tokens }) => ({ depth, words: wordsOf(tokens), id: sectionId(written) }))
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'reference') return (token as Tokens.Generic).name.split('|').at(-1)
      if ('tokens' in token && token.tokens) return wordsOf(token.tokens)
      return 'text' in token ? token.text : token.raw
    })
    .join('')
}

/** Returns the title and the text of a callout. Undefined for any other quote. */
export function calloutOf({ text }: Tokens.Blockquote): { title: string; text: string } | undefined {
  const [head, kind = '', title = ''] = CALLOUT.exec(text) ?? []
  if (head === undefined) return undefined
  return {
    title: title.trim() || `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}`,
    text: text.slice(head.length),
  }
}

/** Returns the id of a section by its heading, or by what a link to it says: both as GitHub makes anchors. */
export function sectionId(heading: string): string {
  const slug = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  return `section-${slug}`
}
