import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { syntaxTree } from '@codemirror/language'
import { type ChangeSpec, Compartment, EditorState, type Extension, type Text } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { writingKeys } from './internal/lists.ts'
import { live } from './internal/live.ts'
import { sourceLook } from './internal/look.ts'
import { markdown } from './internal/markdown.ts'
import { menu } from './internal/menu.ts'
import { type Names, namesFacet } from './internal/names.ts'
import { type Arrival, beginUpload, uploads } from './internal/uploads.ts'

/** What can be done to the text from outside of the editor. */
export interface EditorHandle {
  /** Inserts text at the cursor. */
  insert: (text: string) => void
  /** Puts another text in the place of what is there. The cursor stays where it is in what both have. */
  replace: (text: string) => void
  /** Shows that a file is on its way to a place in the text. */
  beginUpload: (name: string, at: number) => Arrival
  /** Puts the caret into a heading, by its number among those of the outline. */
  goToHeading: (index: number) => void
}

interface Props {
  label: string
  /** The text that it begins with. From then on the text is the editor's. */
  initial: string
  /** What the names in the text stand for. Keep it the same while it is. */
  names: Names
  /** Whether the text is shown as it is, and not as it will look. */
  isSource: boolean
  onChange: (text: string) => void
  /** Called with files that are pasted or dropped, and where. */
  onFiles: (files: readonly File[], at: number) => void
  /** Called when somebody wants to choose a file. */
  onPick: () => void
  onReady: (handle: EditorHandle) => void
}

// Ctrl-Enter saves the page.
const KEYS = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')

const namesPart = new Compartment()
const showing = new Compartment()

/**
 * Edits Markdown as it is stored, and shows it as it will look. It takes no text by its props: they lag
 * behind what is typed when the page is busy, and would undo it. It is in a shadow root, where its styles
 * need no <style>, which the page's policy refuses.
 */
export function CodeEditor({ label, initial, names, isSource, onChange, onFiles, onPick, onReady }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useEffectEvent(onChange)
  const ready = useEffectEvent(onReady)
  const took = useEffectEvent(onFiles)
  const pick = useEffectEvent(onPick)
  const first = useEffectEvent(() => ({ initial, names, isSource }))
  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const begin = first()
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: begin.initial,
        extensions: [
          lineEnds(begin.initial),
          history(),
          drawSelection(),
          menu(() => pick()),
          uploads((files, at) => took(files, at)),
          writingKeys,
          EditorView.lineWrapping,
          // The bar above the text, and that of a phone below it.
          EditorView.scrollMargins.of(() => ({ top: 64, bottom: 72 })),
          markdown,
          namesPart.of(namesFacet.of(begin.names)),
          showing.of(begin.isSource ? sourceLook : live()),
          keymap.of([...KEYS, ...historyKeymap]),
          EditorView.clipboardInputFilter.of((text, { lineBreak }) => text.replaceAll(/\r\n?|\n/g, lineBreak)),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
          EditorView.updateListener.of((update) => update.docChanged && changed(update.state.sliceDoc())),
        ],
      }),
    })
    view.current = editor
    ready({
      insert: (text) => editor.dispatch(editor.state.replaceSelection(toText(editor.state, text))),
      replace: (text) => editor.dispatch({ changes: changeTo(toText(editor.state, text), editor.state.doc) }),
      beginUpload: (name, at) => beginUpload(editor, name, at),
      goToHeading: (index) => goToHeading(editor, index),
    })
    return () => editor.destroy()
  }, [label])
  useEffect(() => view.current?.dispatch({ effects: namesPart.reconfigure(namesFacet.of(names)) }), [names])
  useEffect(() => view.current?.dispatch({ effects: showing.reconfigure(isSource ? sourceLook : live()) }), [isSource])
  return <div ref={host} />
}

function goToHeading(editor: EditorView, index: number): void {
  const { topNode } = syntaxTree(editor.state)
  const headings = Array.from({ length: 6 }, (_, level) =>
    ['ATXHeading', 'SetextHeading'].flatMap((kind) => topNode.getChildren(`${kind}${level + 1}`)),
  ).flat()
  const heading = headings.toSorted((one, other) => one.from - other.from)[index]
  if (!heading) return
  const { to } = editor.state.doc.lineAt(heading.from)
  editor.focus()
  editor.dispatch({ selection: { anchor: to }, effects: EditorView.scrollIntoView(to, { y: 'start', yMargin: 72 }) })
}

/** Keeps the ends of the lines of a text that has \r\n alone: by default the editor makes each \n. */
function lineEnds(text: string): Extension {
  return text.includes('\r\n') && !/\r(?!\n)|(?<!\r)\n/.test(text) ? EditorState.lineSeparator.of('\r\n') : []
}

/** Returns a text of others as lines of this one. */
function toText(state: EditorState, text: string): Text {
  return state.toText(text.replaceAll(/\r\n?|\n/g, state.lineBreak))
}

/**
 * Returns the change that makes one text of another: from where they begin to differ to where they end to.
 */
function changeTo(after: Text, before: Text): ChangeSpec {
  const [is, was] = [after.toString(), before.toString()]
  const shorter = Math.min(is.length, was.length)
  let start = 0
  while (start < shorter && is[start] === was[start]) start++
  let end = 0
  while (end < shorter - start && is.at(-1 - end) === was.at(-1 - end)) end++
  return { from: start, to: was.length - end, insert: after.slice(start, is.length - end) }
}
