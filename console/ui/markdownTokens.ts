import { Marked, type Token, type Tokens } from 'marked'

const REFERENCE = /^(!?)\[\[([^[\]\r\n]+)\]\]/
// A link whose words have more than letters, to what a reference leads to: [**words**](<[[Page]]>).
const REFERENCE_LINK = /^\[((?:[^[\]\n]|!?\[\[[^[\]\n]{1,1000}\]\]){1,1000})\]\(<\[\[([^[\]\r\n]+)\]\]>\)/
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

/** Returns the tokens of a Markdown text: those of GFM, references, and footnotes. */
export function tokensOf(text: string): Token[] {
  return marked.lexer(text)
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
