import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { parser } from '@lezer/markdown'
import { useEffect, useEffectEvent, useRef } from 'react'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  /** Called with a function that inserts text at the cursor. */
  onReady: (insert: (text: string) => void) => void
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

/** Edits Markdown as it is stored. It is in a shadow root, where its styles need no <style>, which the page's policy refuses. */
export function CodeEditor({ label, value, onChange, onReady }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useEffectEvent(onChange)
  const ready = useEffectEvent(onReady)
  const first = useEffectEvent(() => value)
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
    view.current = editor
    ready((text) => editor.dispatch(editor.state.replaceSelection(text)))
    return () => editor.destroy()
  }, [label])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  return <div ref={host} />
}
