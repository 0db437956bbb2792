import { type Extension, Facet, Prec, StateEffect, StateField, type Transaction } from '@codemirror/state'
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type Offer, offerAt } from './offers.ts'
import { element } from './widgets.ts'

/** What is offered, and which of it Enter takes. */
interface Open {
  offer: Offer
  index: number
}

const LIST = 'offers'
const GAP_PX = 4

/** Lets somebody choose a file. */
const picking = Facet.define<() => void, () => void>({ combine: ([pick]) => pick ?? (() => {}) })

const show = StateEffect.define<Open | null>()

const opened = StateField.define<Open | null>({
  create: () => null,
  update(open, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value
    if (transaction.docChanged) return isTyped(transaction, open) ? begin(transaction) : null
    return transaction.selection ? null : open
  },
})

/** It opens when somebody types, and stays while they write on or delete; others' changes close it. */
function isTyped(transaction: Transaction, open: Open | null): boolean {
  return transaction.isUserEvent('input') || (open !== null && transaction.isUserEvent('delete'))
}

function begin({ state }: Transaction): Open | null {
  const offer = offerAt(state)
  return offer ? { offer, index: 0 } : null
}

function move(by: number) {
  return (view: EditorView) => {
    const open = view.state.field(opened)
    if (!open) return false
    const { offer, index } = open
    const { length } = offer.options
    view.dispatch({ effects: show.of({ offer, index: (index + by + length) % length }) })
    return true
  }
}

function choose(view: EditorView, chosen?: number): boolean {
  const open = view.state.field(opened)
  const option = open?.offer.options[chosen ?? open.index]
  if (!open || !option) return false
  view.dispatch({
    ...option.change(view.state, open.offer.from, open.offer.to),
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
  view.focus()
  if (option.isFile) view.state.facet(picking)()
  return true
}

function close(view: EditorView): boolean {
  if (!view.state.field(opened)) return false
  view.dispatch({ effects: show.of(null) })
  return true
}

/** The list itself, below the caret, or above it where there is no room. */
const list = ViewPlugin.fromClass(
  class {
    readonly list = element('ul', 'cm-offers')
    constructor(view: EditorView) {
      this.list.id = LIST
      this.list.role = 'listbox'
      this.list.hidden = true
      view.dom.append(this.list)
    }
    update({ view, state, startState }: ViewUpdate) {
      const open = state.field(opened)
      if (open === startState.field(opened)) return
      this.list.hidden = !open
      this.list.ariaLabel = open?.offer.title ?? ''
      this.list.replaceChildren(...(open ? items(view, open) : []))
      if (open) view.requestMeasure({ read: () => placeOf(view, open, this.list), write: (place) => this.place(place) })
    }
    place({ left, top }: Place) {
      this.list.style.left = `${left}px`
      this.list.style.top = `${top}px`
      this.list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
    }
    destroy() {
      this.list.remove()
    }
  },
)

function items(view: EditorView, { offer, index }: Open): HTMLElement[] {
  return offer.options.map(({ label, detail }, at) => {
    const item = element('li', '')
    item.id = `${LIST}-${at}`
    item.role = 'option'
    item.ariaSelected = String(at === index)
    item.append(element('span', '', label), element('span', 'cm-detail', detail))
    item.addEventListener('mousedown', (event) => {
      event.preventDefault()
      choose(view, at)
    })
    return item
  })
}

interface Place {
  left: number
  top: number
}

function placeOf(view: EditorView, { offer }: Open, shown: HTMLElement): Place {
  const frame = view.dom.getBoundingClientRect()
  const { offsetHeight: height, offsetWidth: width } = shown
  const at = view.coordsAtPos(offer.from) ?? { left: frame.left, top: frame.top, bottom: frame.top }
  const hasRoom = at.bottom + GAP_PX + height <= window.innerHeight || at.top - GAP_PX - height < 0
  return {
    left: Math.max(0, Math.min(at.left - frame.left, frame.width - width)),
    top: (hasRoom ? at.bottom + GAP_PX : at.top - GAP_PX - height) - frame.top,
  }
}

const look = EditorView.theme({
  '.cm-offers': {
    position: 'absolute',
    zIndex: '2',
    listStyle: 'none',
    margin: '0',
    padding: '4px',
    minWidth: '14rem',
    maxWidth: '20rem',
    maxHeight: '19rem',
    overflowY: 'auto',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--body)',
    background: 'var(--sheet)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
  },
  '.cm-offers[hidden]': { display: 'none' },
  '.cm-offers li': {
    display: 'flex',
    justifyContent: 'space-between',
    gap: '16px',
    padding: '6px 8px',
    borderRadius: 'var(--radius)',
    cursor: 'pointer',
    overflowWrap: 'anywhere',
  },
  '.cm-offers li[aria-selected=true]': { background: 'var(--sunk)' },
  '.cm-detail': { color: 'var(--ink-2)', fontSize: 'var(--small)', flex: 'none' },
})

const offering: Extension = [
  opened,
  list,
  look,
  Prec.highest(
    keymap.of([
      { key: 'ArrowDown', run: move(1) },
      { key: 'ArrowUp', run: move(-1) },
      { key: 'Enter', run: (view) => choose(view) },
      { key: 'Tab', run: (view) => choose(view) },
      { key: 'Escape', run: close },
    ]),
  ),
  EditorView.contentAttributes.of((view) => {
    const open = view.state.field(opened)
    return open ? { 'aria-controls': LIST, 'aria-activedescendant': `${LIST}-${open.index}` } : null
  }),
  EditorView.domEventHandlers({ blur: (_event, view) => void close(view) }),
]

/** Offers blocks, pages, files and people while somebody types. `pick` lets them choose a file. */
export function menu(pick: () => void): Extension {
  return [offering, picking.of(pick)]
}
