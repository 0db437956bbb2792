import { syntaxTree } from '@codemirror/language'
import type { EditorState, Range } from '@codemirror/state'
import { Decoration } from '@codemirror/view'
import { activeLines, type Span, touches } from './active.ts'
import { namesFacet } from './names.ts'
import { TableWidget } from './table.ts'
import { PictureWidget } from './widgets.ts'

/**
 * Returns the decorations that show the tables and pictures of a text. Those that the caret is in are shown
 * as their text; a picture stays below its text.
 */
export function blocksIn(state: EditorState): Range<Decoration>[] {
  const active = activeLines(state)
  const ranges: Range<Decoration>[] = []
  syntaxTree(state).iterate({
    enter: ({ name, from, to, node }) => {
      if (name === 'Table') {
        // In a quote or a list its lines begin with the marks of those: it stays a text there.
        const isWhole = state.doc.lineAt(from).from === from && state.doc.lineAt(to).to === to
        if (isWhole && !touches(active, from, to))
          ranges.push(Decoration.replace({ widget: new TableWidget(state, node), block: true }).range(from, to))
        return false
      }
      const isEmbed = name === 'Reference' && state.sliceDoc(from, from + 1) === '!'
      if (isEmbed) addPicture(state, ranges, { from, to, isActive: touches(active, from, to) })
      return true
    },
  })
  return ranges
}

function addPicture(
  state: EditorState,
  ranges: Range<Decoration>[],
  { from, to, isActive }: Span & { isActive: boolean },
) {
  const picture = state.facet(namesFacet).pictureOf(state.sliceDoc(from + 3, to - 2))
  if (!picture) return
  const line = state.doc.lineAt(from)
  const widget = new PictureWidget(picture)
  const isWhole = line.from === from && line.to === to
  if (isActive) ranges.push(Decoration.widget({ widget, block: true, side: 1 }).range(line.to))
  else ranges.push(Decoration.replace({ widget, block: isWhole }).range(from, to))
}
