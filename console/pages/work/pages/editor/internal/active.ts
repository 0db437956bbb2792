import { type EditorState, StateEffect, StateField } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const focused = StateEffect.define<null>()

// It stays true once the editor has had the focus. If marks went with the focus, a button below would move
// away under the mouse that presses it.
const wasFocused = StateField.define<boolean>({
  create: () => false,
  update: (value, { effects }) => value || effects.some((effect) => effect.is(focused)),
})

/** Knows which lines the caret is on. */
export const activity = [
  wasFocused,
  EditorView.focusChangeEffect.of((_state, isFocusing) => (isFocusing ? focused.of(null) : null)),
]

/** From where to where lines are, in characters. */
export interface Span {
  from: number
  to: number
}

/**
 * Returns the lines with a caret or a selection: their marks are shown. None before the editor was first
 * entered.
 */
export function activeLines(state: EditorState): Span[] {
  if (!state.field(wasFocused, false)) return []
  return state.selection.ranges.map(({ from, to }) => ({
    from: state.doc.lineAt(from).from,
    to: state.doc.lineAt(to).to,
  }))
}

/** Whether a part of the text touches one of these spans. */
export function touches(spans: readonly Span[], from: number, to: number): boolean {
  return spans.some((span) => from <= span.to && to >= span.from)
}
