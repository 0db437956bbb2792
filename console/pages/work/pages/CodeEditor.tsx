import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language'
import { type ChangeSpec, EditorState, type Text } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { parser } from '@lezer/markdown'
import { useEffect, useEffectEvent, useRef } from 'react'

/** What can be done to the text from outside of the editor. */
export interface EditorHandle {
  /** Inserts text at the cursor. */
  insert: (text: string) => void
  /** Puts another text in the place of what is there. The cursor stays where it is in what both have. */
  replace: (text: string) => void
}

interface Props {
  label: string
  /** The text that it begins with. From then on the text is the editor's. */
  initial: string
  onChange: (text: string) => void
  onReady: (handle: EditorHandle) => void
}

const markdown = new Language(defineLanguageFacet(), parser, [], 'markdown')
const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, color: 'var(--accent)' },
  { tag: tags.url, color: 'var(--ink-2)' },
  { tag: tags.monospace, color: 'var(--delivered)' },
  { tag: tags.quote, color: 'var(--ink-2)' },
  { tag: tags.processingInstruction, color: 'var(--ink-2)' },
])
const look = EditorView.theme({
  '&': { color: 'var(--ink)', fontSize: '0.875rem', minHeight: '24rem' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { padding: '12px', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 25%, transparent) !important',
  },
})

// Ctrl-Enter saves the page.
const KEYS = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')

/**
 * Edits Markdown as it is stored. It takes no text by its props: they lag behind what is typed when the page is busy, and
 * would undo it. It is in a shadow root, where its styles need no <style>, which the page's policy refuses.
 */
export function CodeEditor({ label, initial, onChange, onReady }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const changed = useEffectEvent(onChange)
  const ready = useEffectEvent(onReady)
  const first = useEffectEvent(() => initial)
  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first(),
        extensions: [
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          keymap.of([...KEYS, ...historyKeymap]),
          markdown,
          syntaxHighlighting(highlighting),
          look,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
          EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
        ],
      }),
    })
    ready({
      insert: (text) => editor.dispatch(editor.state.replaceSelection(text)),
      replace: (text) => editor.dispatch({ changes: changeTo(editor.state.toText(text), editor.state.doc) }),
    })
    return () => editor.destroy()
  }, [label])
  return <div ref={host} />
}

/** Returns the change that makes one text of another: from where they begin to differ to where they end to. */
function changeTo(after: Text, before: Text): ChangeSpec {
  const [is, was] = [after.toString(), before.toString()]
  const shorter = Math.min(is.length, was.length)
  let start = 0
  while (start < shorter && is[start] === was[start]) start++
  let end = 0
  while (end < shorter - start && is.at(-1 - end) === was.at(-1 - end)) end++
  return { from: start, to: was.length - end, insert: is.slice(start, is.length - end) }
}
