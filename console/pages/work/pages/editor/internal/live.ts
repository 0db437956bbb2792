import { EditorSelection, type Extension, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { t } from '../../../../../texts/texts.ts'
import { activity } from './active.ts'
import { blocksIn } from './blocks.ts'
import { liveLook } from './look.ts'
import { marksIn } from './marks.ts'

/** Decorates what of a text is on the screen. */
const marks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = decorate(view)
    }
    update({ view, viewportChanged, transactions }: ViewUpdate) {
      if (viewportChanged || transactions.length > 0) this.decorations = decorate(view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

function decorate({ state, viewport }: EditorView): DecorationSet {
  return Decoration.set(marksIn(state, viewport.from, viewport.to), true)
}

/**
 * Shows tables and pictures. Their widgets change the height of lines, so that a view plugin may not make
 * them.
 */
const blocks = StateField.define<DecorationSet>({
  create: (state) => Decoration.set(blocksIn(state), true),
  update: (_decorations, { state }) => Decoration.set(blocksIn(state), true),
  provide: (field) => EditorView.decorations.from(field),
})

/** Moves the caret by a line into a table or a picture, which it would otherwise pass over. */
function enterBlock(view: EditorView, isForward: boolean): boolean {
  const { main } = view.state.selection
  if (!main.empty) return false
  const { doc } = view.state
  const from = doc.lineAt(main.head).number
  const to = doc.lineAt(view.moveVertically(main, isForward).head).number
  if (Math.abs(to - from) < 2) return false
  const { from: at } = doc.line(from + (isForward ? 1 : -1))
  view.dispatch({ selection: EditorSelection.cursor(at), scrollIntoView: true, userEvent: 'select' })
  return true
}

/** Returns what shows a text as it will look. */
export const live = (): Extension => [
  activity,
  marks,
  blocks,
  liveLook,
  placeholder(t('Write, or type / for headings, lists, tables and more')),
  keymap.of([
    { key: 'ArrowDown', run: (view) => enterBlock(view, true) },
    { key: 'ArrowUp', run: (view) => enterBlock(view, false) },
  ]),
]
