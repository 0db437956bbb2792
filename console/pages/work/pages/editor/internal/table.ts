import type { EditorState } from '@codemirror/state'
import { type EditorView, WidgetType } from '@codemirror/view'
import { partsOf } from '../../text/references.ts'
import type { NodeRef } from './markdown.ts'
import { namesFacet } from './names.ts'
import { element } from './widgets.ts'

type Node = NodeRef['node']

/** A cell of a table: its node, or undefined for an empty one. */
type Cell = Node | undefined

const ELEMENTS: Record<string, 'strong' | 'em' | 'del' | 'code'> = {
  StrongEmphasis: 'strong',
  Emphasis: 'em',
  Strikethrough: 'del',
  InlineCode: 'code',
}

/** Returns the cells of the header or of a row. The tree has no nodes for empty cells. */
function cellsOf(row: Node): Cell[] {
  const cells: Cell[] = []
  let isFilled = true
  for (let child = row.firstChild; child; child = child.nextSibling) {
    if (child.name === 'TableCell') {
      cells.push(child)
      isFilled = true
    } else {
      if (!isFilled) cells.push(undefined)
      isFilled = false
    }
  }
  return cells
}

/** A table as readers see it. A click on it puts the caret there, where its text is then shown. */
export class TableWidget extends WidgetType {
  readonly #state: EditorState
  readonly #table: Node
  readonly #text: string
  constructor(state: EditorState, table: Node) {
    super()
    this.#state = state
    this.#table = table
    this.#text = state.sliceDoc(table.from, table.to)
  }
  override eq(other: TableWidget): boolean {
    return other.#text === this.#text && other.#state.facet(namesFacet) === this.#state.facet(namesFacet)
  }
  override toDOM(view: EditorView): HTMLElement {
    const frame = element('div', 'cm-table')
    const table = element('table', '')
    const delimiters = this.#table.getChild('TableDelimiter')
    const alignments = delimiters ? alignmentsIn(this.#state.sliceDoc(delimiters.from, delimiters.to)) : []
    const header = this.#table.getChild('TableHeader')
    const width = header ? cellsOf(header).length : 0
    for (const row of header ? [header, ...this.#table.getChildren('TableRow')] : []) {
      const cells = cellsOf(row)
      const line = element('tr', '')
      for (let column = 0; column < width; column++)
        line.append(this.#cell(row === header ? 'th' : 'td', cells[column], alignments[column]))
      table.append(line)
    }
    frame.append(table)
    frame.addEventListener('mousedown', (event) => {
      const at =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]')?.dataset.at : undefined
      event.preventDefault()
      view.focus()
      view.dispatch({ selection: { anchor: view.posAtDOM(frame) + Number(at ?? 0) } })
    })
    return frame
  }
  #cell(name: 'th' | 'td', cell: Cell, alignment: string | undefined): HTMLElement {
    const made = element(name, alignment ?? '')
    if (!cell) return made
    made.dataset.at = String(cell.from - this.#table.from)
    addInline(made, this.#state, cell)
    return made
  }
}

function alignmentsIn(delimiters: string): (string | undefined)[] {
  const columns = delimiters
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|')
  return columns.map((column) => {
    const text = column.trim()
    if (!text.endsWith(':')) return undefined
    return text.startsWith(':') ? 'cm-center' : 'cm-right'
  })
}

/** Adds what a part of a text looks like, without its marks. */
function addInline(parent: HTMLElement, state: EditorState, { from, to, firstChild }: Node): void {
  let at = from
  for (let child = firstChild; child; child = child.nextSibling) {
    parent.append(state.sliceDoc(at, child.from))
    addNode(parent, state, child)
    at = child.to
  }
  parent.append(state.sliceDoc(at, to))
}

function addNode(parent: HTMLElement, state: EditorState, node: Node): void {
  const { name, from, to } = node
  const text = state.sliceDoc(from, to)
  const tag = ELEMENTS[name]
  if (tag) {
    const made = element(tag, '')
    addInline(made, state, node)
    parent.append(made)
  } else if (name === 'Link') {
    const made = element('span', 'cm-link')
    addInline(made, state, node)
    parent.append(made)
  } else if (name === 'Reference') {
    const reference = text.slice(text.indexOf('[[') + 2, -2)
    const { target, aliases } = partsOf(reference)
    const isMissing = state.facet(namesFacet).kindOf(reference) === 'missing'
    parent.append(element('span', isMissing ? 'cm-missing' : 'cm-link', aliases[0] ?? target))
  } else if (name === 'Mention') {
    parent.append(element('span', 'cm-mention', `@${state.facet(namesFacet).nameOf(text.slice(1))}`))
  } else if (name === 'Escape') {
    parent.append(text.slice(1))
  } else if (!/Mark$|^URL$|^LinkTitle$|^LinkLabel$/.test(name) || node.parent?.name === 'TableCell') {
    parent.append(text)
  }
}
