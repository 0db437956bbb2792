import { type EditorView, WidgetType } from '@codemirror/view'
import { t } from '../../../../../texts/texts.ts'
import type { Picture } from './names.ts'

/** Words in the place of a mark. */
export class Label extends WidgetType {
  readonly text: string
  readonly #class: string
  constructor(text: string, name: string) {
    super()
    this.text = text
    this.#class = name
  }
  override eq(other: Label): boolean {
    return other.text === this.text && other.#class === this.#class
  }
  override toDOM(): HTMLElement {
    return element('span', this.#class, this.text)
  }
  override ignoreEvent(): boolean {
    return false
  }
}

/** The point of a list item. */
export class Bullet extends Label {
  constructor() {
    super('•', 'cm-bullet')
  }
}

/** A rule across the page. */
export class Rule extends WidgetType {
  override eq(): boolean {
    return true
  }
  override toDOM(): HTMLElement {
    return element('hr', 'cm-rule')
  }
  override ignoreEvent(): boolean {
    return false
  }
}

/** The box of a task. Pressing it changes the text. */
export class Checkbox extends WidgetType {
  readonly #isDone: boolean
  readonly #label: string
  constructor(isDone: boolean, label: string) {
    super()
    this.#isDone = isDone
    this.#label = label
  }
  override eq(other: Checkbox): boolean {
    return other.#isDone === this.#isDone && other.#label === this.#label
  }
  override toDOM(view: EditorView): HTMLElement {
    const box = element('input', 'cm-box')
    box.type = 'checkbox'
    this.updateDOM(box)
    box.addEventListener('change', () => {
      const { from, text } = view.state.doc.lineAt(view.posAtDOM(box))
      const at = text.search(/\[[ xX]\]/)
      if (at >= 0)
        view.dispatch({ changes: { from: from + at + 1, to: from + at + 2, insert: box.checked ? 'x' : ' ' } })
    })
    return box
  }
  /** Keeps the box, and with it the focus. */
  override updateDOM(box: HTMLElement): boolean {
    if (!(box instanceof HTMLInputElement)) return false
    box.checked = this.#isDone
    box.ariaLabel = this.#label || t('Done')
    return true
  }
}

/** A picture of the page. */
export class PictureWidget extends WidgetType {
  readonly #picture: Picture
  constructor(picture: Picture) {
    super()
    this.#picture = picture
  }
  override eq(other: PictureWidget): boolean {
    const { url, alt, width } = this.#picture
    return other.#picture.url === url && other.#picture.alt === alt && other.#picture.width === width
  }
  override toDOM(view: EditorView): HTMLElement {
    const { url, alt, width } = this.#picture
    const frame = element('div', 'cm-picture')
    const image = element('img', '')
    image.alt = alt
    if (width !== undefined) image.width = width
    image.addEventListener('load', () => view.requestMeasure())
    image.src = url
    frame.append(image)
    return frame
  }
  override ignoreEvent(): boolean {
    return false
  }
}

/** Makes an element with a class and a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text?: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  if (text !== undefined) made.textContent = text
  return made
}
