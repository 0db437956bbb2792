import { EditorView } from '@codemirror/view'
import { MOST_INDENTED } from './marks.ts'

const CARET = {
  '&': { color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '2px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 25%, transparent) !important',
  },
}

/** How plain source looks. */
export const sourceLook = EditorView.theme({
  ...CARET,
  '&': { ...CARET['&'], fontSize: '0.875rem', minHeight: '24rem' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { ...CARET['.cm-content'], padding: '12px' },
})

// The marks of a list are as wide as in a font of one width: 0.6em each.
const INDENTS = Object.fromEntries(
  Array.from({ length: MOST_INDENTED }, (_, index) => {
    const width = `${(index + 1) * 0.6}em`
    return [`.cm-item-${index + 1}`, { paddingInlineStart: width, textIndent: `-${width}` }]
  }),
)

/** How a text looks that is shown as readers see it. */
export const liveLook = EditorView.theme({
  ...CARET,
  '&': { ...CARET['&'], fontSize: 'var(--body)', minHeight: '24rem' },
  '.cm-scroller': { fontFamily: 'var(--sans)', lineHeight: '1.6' },
  '.cm-content': { ...CARET['.cm-content'], padding: '20px 24px', maxWidth: 'calc(72ch + 48px)' },
  '.cm-line': { padding: '2px 0' },
  '.cm-placeholder': { color: 'var(--ink-2)' },
  '.cm-heading': { fontWeight: '600', lineHeight: '1.3', paddingTop: '6px' },
  '.cm-h1': { fontSize: '1.35rem' },
  '.cm-h2': { fontSize: '1.125rem' },
  '.cm-strong': { fontWeight: '600' },
  '.cm-em': { fontStyle: 'italic' },
  '.cm-del, .cm-done': { textDecoration: 'line-through' },
  '.cm-done, .cm-muted, .cm-bullet': { color: 'var(--ink-2)' },
  '.cm-link': { color: 'var(--accent)', textDecoration: 'underline', textUnderlineOffset: '0.18em' },
  '.cm-missing': { color: 'var(--rejected)' },
  '.cm-mention': { fontWeight: '600' },
  '.cm-inlinecode, .cm-code, .cm-tablesource, .cm-prefix': { fontFamily: 'var(--mono)' },
  '.cm-inlinecode': { fontSize: '0.9em', background: 'var(--sunk)', borderRadius: 'var(--radius)', padding: '1px 4px' },
  '.cm-code': { fontSize: '0.9em', background: 'var(--sunk)', padding: '0 12px' },
  '.cm-code.cm-first': { paddingTop: '8px' },
  '.cm-code.cm-last': { paddingBottom: '8px' },
  '.cm-tablesource': { fontSize: '0.9em' },
  '.cm-bullet': {
    display: 'inline-block',
    width: '0.6em',
    textIndent: '0',
    textAlign: 'center',
    fontFamily: 'var(--sans)',
    fontWeight: '600',
  },
  '.cm-quote': { borderInlineStart: '3px solid var(--line-strong)', paddingInlineStart: '12px' },
  '.cm-callout': { fontWeight: '600' },
  ...INDENTS,
  '.cm-box': {
    width: '1rem',
    height: '1rem',
    margin: '0 0.2em 0 0',
    verticalAlign: '-0.15em',
    accentColor: 'var(--accent)',
  },
  '.cm-rule': {
    border: '0',
    borderTop: '1px solid var(--line-strong)',
    display: 'inline-block',
    width: '100%',
    margin: '0',
    verticalAlign: 'middle',
  },
  '.cm-picture': { padding: '8px 0' },
  '.cm-picture img': {
    display: 'block',
    maxWidth: '100%',
    height: 'auto',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
  },
  '.cm-table': { padding: '8px 0', overflowX: 'auto' },
  '.cm-table table': { width: '100%', borderCollapse: 'collapse' },
  '.cm-table :is(th, td)': {
    textAlign: 'start',
    padding: '8px 12px 8px 0',
    borderBottom: '1px solid var(--line)',
    verticalAlign: 'baseline',
  },
  '.cm-table th': { fontWeight: '400', color: 'var(--ink-2)', fontSize: 'var(--small)' },
  '.cm-table .cm-center': { textAlign: 'center' },
  '.cm-table .cm-right': { textAlign: 'end' },
})
