import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { t } from '../../../../../texts/texts.ts'
import { element } from './widgets.ts'

/** A file that is on its way to where it will stand in the text. */
export interface Arrival {
  /** Shows how much of it has arrived, of 1. */
  progress: (part: number) => void
  /** Puts a text in its place; nothing if the upload was given up. */
  end: (text?: string) => void
}

/**
 * Where a file is shown while it is on its way. It moves with the text around it, and is no part of the text.
 */
class UploadWidget extends WidgetType {
  readonly bar = element('progress', '')
  readonly name: string
  constructor(name: string) {
    super()
    this.name = name
    this.bar.ariaLabel = t('Upload of {name}', { name })
    this.bar.value = 0
  }
  override toDOM(): HTMLElement {
    const shown = element('span', 'cm-upload', `${this.name} `)
    shown.append(this.bar)
    return shown
  }
}

const begun = StateEffect.define<{ widget: UploadWidget; at: number }>()
const ended = StateEffect.define<UploadWidget>()

const arriving = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects }) {
    let next = shown.map(changes)
    for (const effect of effects) {
      if (effect.is(ended)) next = next.update({ filter: (_from, _to, { spec }) => spec.widget !== effect.value })
      if (!effect.is(begun)) continue
      const { widget, at } = effect.value
      next = next.update({ add: [Decoration.widget({ widget, side: 1 }).range(at)] })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Shows that a file is on its way to a place in the text. */
export function beginUpload(view: EditorView, name: string, at: number): Arrival {
  const widget = new UploadWidget(name)
  view.dispatch({ effects: begun.of({ widget, at }) })
  return {
    progress: (part) => {
      widget.bar.value = part
    },
    end: (text = '') => {
      for (const cursor = view.state.field(arriving).iter(); cursor.value; cursor.next())
        if (cursor.value.spec.widget === widget)
          view.dispatch({ changes: { from: cursor.from, insert: text }, effects: ended.of(widget) })
    },
  }
}

/** Takes files that are pasted into the text or dropped on it, and tells where. */
export function uploads(onFiles: (files: readonly File[], at: number) => void): Extension {
  return [
    arriving,
    EditorView.domEventHandlers({
      paste: (event, { state }) => {
        // What Office copies has a picture of itself: its text is meant.
        const isText = event.clipboardData?.types.includes('text/plain')
        return !isText && take(event.clipboardData, state.selection.main.head)
      },
      drop: (event, view) =>
        take(event.dataTransfer, view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length),
    }),
    EditorView.theme({
      '.cm-upload': { color: 'var(--ink-2)', fontSize: 'var(--small)' },
      '.cm-upload progress': { width: '8rem', accentColor: 'var(--accent)', verticalAlign: 'middle' },
    }),
  ]
  function take(from: DataTransfer | null, at: number): boolean {
    const files = [...(from?.files ?? [])]
    if (files.length > 0) onFiles(files, at)
    return files.length > 0
  }
}
