import { before, describe, it } from 'node:test'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorSelection, EditorState, type Range, type TransactionSpec } from '@codemirror/state'
import { type Decoration, EditorView } from '@codemirror/view'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'

const FOLDER = `${ROOT}console/pages/work/pages/editor/internal/`
const HUMAN = 'market:human:01890000-0000-7000-8000-000000000000'
const NAMES = {
  kindOf: (name: string) => (name === 'Nowhere' ? 'missing' : 'page'),
  pictureOf: (name: string) => (name.startsWith('river.png') ? { url: '/river', alt: 'river' } : undefined),
  nameOf: (urn: string) => (urn === HUMAN ? 'Ada' : urn),
  listed: { pages: ['Birds', 'The birds', 'Fish'], files: ['bird.png'], people: [{ urn: HUMAN, name: 'Ada Byron' }] },
}

type Ranges = readonly Range<Decoration>[]
type Decorating = (state: EditorState) => Ranges

interface Offer {
  from: number
  to: number
  options: { label: string; change: (state: EditorState, from: number, to: number) => TransactionSpec }[]
}

// The files of the console are of browsers, whose types the tree does not have.
describe('the editor of pages', () => {
  let marksIn: Decorating
  let blocksIn: Decorating
  let extensions: unknown[]
  let offerAt: (state: EditorState) => Offer | undefined
  let continuationOf: (text: string) => { next: string; isEmpty: boolean } | undefined
  before(async () => {
    const file = async (name: string) => (await import(FOLDER + name)) as Record<string, never>
    const [markdown, active, names] = [await file('markdown.ts'), await file('active.ts'), await file('names.ts')]
    marksIn = (await file('marks.ts')).marksIn as unknown as Decorating
    blocksIn = (await file('blocks.ts')).blocksIn as unknown as Decorating
    offerAt = (await file('offers.ts')).offerAt as unknown as typeof offerAt
    continuationOf = (await file('blockKinds.ts')).continuationOf as unknown as typeof continuationOf
    const { of } = names.namesFacet as unknown as { of: (names: object) => object }
    extensions = [markdown.markdown, active.activity, of.call(names.namesFacet, NAMES)]
  })

  it('shows a text without its marks, but on the lines of the caret', () => {
    const text = '# A **b**\n\n*c* ~~d~~ `e` \\* [f](https://g.example) <https://h.example>\n> i\n---\n- j\n1. k\n'
    expect(shown(text)).to.equal('A b\n\nc d e * f https://h.example\ni\n{Rule}\n{•} j\n1. k\n')
    expect(shown(text, 2)).to.equal('# A **b**\n\nc d e * f https://h.example\ni\n{Rule}\n{•} j\n1. k\n')
    expect(shown(text, text.indexOf('c'))).to.equal(`A b\n\n${text.split('\n')[2]}\ni\n{Rule}\n{•} j\n1. k\n`)
    expect(shown(text, 0, text.length), 'all of it selected').to.equal(text)
  })

  it('shows tasks, callouts, references and mentions', () => {
    expect(shown('- [ ] a\n- [x] b')).to.equal('{Checkbox} a\n{Checkbox} b')
    expect(shown('> [!note] Mind\n> the gap\n\n> [!tip]\n> it')).to.equal('Mind\nthe gap\n\n{Tip}\nit')
    expect(shown('[[A#B|the A]] [[Nowhere]] ![[film.bin|60]]')).to.equal('the A Nowhere film.bin')
    expect(classesIn('[[A]] [[Nowhere]]')).to.deep.equal(['cm-link', 'cm-missing'])
    expect(shown(`Ask @${HUMAN}.`)).to.equal('Ask {@Ada}.')
    expect(shown('`[[A]]`\n\n    [[A]]\n')).to.equal('[[A]]\n\n    [[A]]\n')
  })

  it('shows the whole of a code block as it is while the caret is in it', () => {
    const text = 'a\n\n```ts\nb\n```\n\nc'
    expect(shown(text)).to.equal('a\n\nts\nb\n\n\nc')
    expect(shown(text, text.indexOf('b'))).to.equal(text)
  })

  it('shows tables and pictures as blocks; those with the caret as text, a picture below it', () => {
    const text = '| a | b |\n|---|---|\n| c | d |\n\n![[river.png]]\n\nsee ![[river.png|9]]\n'
    expect(blocks(text)).to.deep.equal([
      [0, 29, true],
      [31, 45, true],
      [51, 67, false],
    ])
    expect(blocks(text, 30)).to.have.length(3)
    expect(blocks(text, 12).map(([from]) => from)).to.deep.equal([31, 51])
    expect(blocks(text, 35)[1]).to.deep.equal([45, 45, true])
    expect(blocks('> | a | b |\n> |---|---|\n> | c | d |')).to.deep.equal([])
  })

  it('takes any text, and hides nothing twice that is not there', () => {
    for (const text of [
      '',
      '#',
      '# ',
      '[](',
      '![[',
      '- [ ]',
      '>',
      '> [!note]',
      '|',
      '```',
      '***',
      '**a*',
      '[[]]',
      '\\',
    ])
      for (const caret of [undefined, 0, text.length])
        expect(() => [shown(text, caret), blocks(text, caret)]).not.to.throw()
  })

  it('offers blocks, pages, files and people for what stands before the caret', () => {
    expect(labelsAfter('/')).to.include.members(['Heading 1', 'To-do list', 'Table', 'Divider'])
    expect(labelsAfter('a /hea')).to.deep.equal(['Heading 1', 'Heading 2', 'Heading 3'])
    expect(labelsAfter('see [[bird')).to.deep.equal(['bird.png', 'Birds', 'The birds'])
    expect(labelsAfter('![[')).to.deep.equal(['bird.png'])
    expect(labelsAfter('(@ada b')).to.deep.equal(['Ada Byron'])
    for (const text of [
      'and/or',
      'a / b',
      '/ ',
      'me@ada',
      '[[Birds]] ',
      '[[nothing',
      '@nobody',
      '`/`',
      '```\n/',
      '    /',
    ])
      expect(labelsAfter(text), text).to.deep.equal([])
  })

  it('puts what is chosen in the place of what was typed', () => {
    expect(chosen('see [[the b')).to.equal('see [[The birds]]')
    expect(chosen('[[fi]]', 4)).to.equal('[[Fish]]')
    expect(chosen('Ask @ada')).to.equal(`Ask @${HUMAN} `)
    expect(chosen('- a /heading 2')).to.equal('## a ')
    expect(chosen('a\n/divider\nb')).to.equal('a\n\n---\n\nb')
    expect(chosen('a /code')).to.equal('a\n\n```\n\n```')
    expect(chosen('/table')).to.equal('|  |  |\n| --- | --- |\n|  |  |')
  })

  it('continues lists and quotes in the next line', () => {
    const next = (text: string) => continuationOf(text)?.next
    expect(['- a', '  * [x] a', '9. a', '1) a', '> a'].map(next)).to.deep.equal([
      ...['- ', '  * [ ] ', '10. ', '2) ', '> '],
    ])
    expect(['a', '-a', '1a', '# a', ''].map(next)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(['- ', '- [ ] ', '> '].map((text) => continuationOf(text)?.isEmpty)).to.deep.equal([true, true, true])
  })

  function labelsAfter(text: string): string[] {
    return offerAt(stateOf(text, text.length))?.options.map(({ label }) => label) ?? []
  }

  /** The text after the first of what is offered was chosen. */
  function chosen(text: string, caret = text.split('\n').slice(0, 2).join('\n').length): string {
    const state = stateOf(text, caret)
    const { options: [option] = [], from, to } = offerAt(state) ?? { from: 0, to: 0 }
    return option ? state.update(option.change(state, from, to)).state.doc.toString() : 'nothing is offered'
  }

  function stateOf(text: string, anchor?: number, head = anchor): EditorState {
    const begun = EditorState.create({ doc: text, extensions: extensions as never })
    // The editor parses a bit at a time, on a busy machine less.
    ensureSyntaxTree(begun, text.length, 10_000)
    const { state } = begun.update({})
    if (anchor === undefined) return state
    const [entered] = state.facet(EditorView.focusChangeEffect).map((make) => make(state, true))
    return state.update({ selection: EditorSelection.single(anchor, head), effects: entered ?? [] }).state
  }

  function blocks(text: string, caret?: number): [number, number, boolean][] {
    return blocksIn(stateOf(text, caret)).map(({ from, to, value }) => [from, to, value.spec.block])
  }

  function classesIn(text: string): string[] {
    return marksIn(stateOf(text)).flatMap(({ value }) => value.spec.class ?? [])
  }

  /** What somebody sees of a text, with widgets in braces. */
  function shown(text: string, anchor?: number, head = anchor): string {
    const state = stateOf(text, anchor, head)
    const replaced = marksIn(state).filter(({ from, to, value }) => from < to && value.spec.class === undefined)
    const ordered = replaced.toSorted((one, other) => one.from - other.from || other.to - one.to)
    let [seen, at] = ['', 0]
    for (const { from, to, value } of ordered) {
      if (from < at) continue
      const { widget } = value.spec
      seen += state.sliceDoc(at, from) + (widget ? `{${widget.text ?? widget.constructor.name}}` : '')
      at = to
    }
    return seen + state.sliceDoc(at)
  }
})
