import type { EditorState } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import { continuationOf } from './blockKinds.ts'

/** Continues a list or a quote in a new line; ends it on a line that has nothing yet. */
function newLine(view: EditorView): boolean {
  const { state } = view
  const { main } = state.selection
  const line = state.doc.lineAt(main.head)
  const continuation = main.empty ? continuationOf(line.text) : undefined
  if (!continuation || main.head - line.from < continuation.next.length) return false
  if (continuation.isEmpty) {
    view.dispatch({ changes: { from: line.from, to: line.to }, userEvent: 'delete' })
    return true
  }
  view.dispatch(state.replaceSelection(state.toText(state.lineBreak + continuation.next)), {
    userEvent: 'input',
    scrollIntoView: true,
  })
  return true
}

/** Puts marks around what is selected, or takes them away. */
function wrap(mark: string) {
  return ({ state, dispatch }: { state: EditorState; dispatch: EditorView['dispatch'] }) => {
    const { from, to } = state.selection.main
    const [before, after] = [state.sliceDoc(from - mark.length, from), state.sliceDoc(to, to + mark.length)]
    const isWrapped = before === mark && after === mark
    const changes = isWrapped
      ? [
          { from: from - mark.length, to: from },
          { from: to, to: to + mark.length },
        ]
      : [
          { from, insert: mark },
          { from: to, insert: mark },
        ]
    const shift = isWrapped ? -mark.length : mark.length
    dispatch({ changes, selection: { anchor: from + shift, head: to + shift }, userEvent: 'input' })
    return true
  }
}

/** The keys of writing: Enter within lists, Ctrl-B and Ctrl-I. */
export const writingKeys = keymap.of([
  { key: 'Enter', run: newLine },
  { key: 'Mod-b', run: wrap('**') },
  { key: 'Mod-i', run: wrap('*') },
])
