import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { createServer, type ViteDevServer } from 'vite'
import { ROOT } from '../../cli/machine/paths.ts'

interface ReactElement {
  type: unknown
  key: string | null
  props: { children?: unknown; [name: string]: unknown }
}

describe('markdown in the console', () => {
  let vite: ViteDevServer
  let show: (text: string) => ReactElement
  type Reference = (name: string, isEmbedded: boolean, words?: unknown) => ReactElement
  let showWith: (text: string, reference: Reference) => ReactElement
  before(async () => {
    vite = await createServer({
      ...{ configFile: false, root: `${ROOT}console`, logLevel: 'error', appType: 'custom' },
      ...{ optimizeDeps: { noDiscovery: true }, server: { middlewareMode: true, hmr: false, ws: false, watch: null } },
    })
    const { Markdown } = await vite.ssrLoadModule('/ui/markdown/Markdown.tsx')
    show = (text) => Markdown({ text })
    showWith = (text, reference) => Markdown({ text, reference })
  })
  after(() => vite.close())

  // React drops or doubles what shares its key with a sibling, when the text changes.
  it('gives equal cells and equal rows of a table keys of their own', () => {
    const shown = show('| sum | sum | |\n|---|---|---|\n| 0 | 0 | |\n| 0 | 0 | |\n')
    const lists = siblings(shown).filter((keys) => keys.length > 1)
    // The header's cells, the rows, and the cells of each.
    expect(lists.map(({ length }) => length)).to.deep.equal([3, 2, 3, 3])
    for (const keys of lists) expect(new Set(keys).size, keys.join(' ')).to.equal(keys.length)
  })

  it('shows tasks, alignment, footnotes, callouts, and references with sections', () => {
    const text =
      '- [x] done\n\n| a |\n|--:|\n| [[B\\|the B]] |\n\nSee[^1] [**it**](<[[B#Why]]>) ![[p.png|9]]\n\n[^1]: A *note*.\n\n> [!warning] Mind\n> the gap\n\n## To do: it\n'
    const shown = JSON.stringify(
      showWith(text, (name, isEmbedded, words) => ({ type: 'ref', key: null, props: { name, isEmbedded, words } })),
    )
    const parts = [
      ...['"type":"checkbox"', '"checked":true', '"textAlign":"right"', '"name":"B|the B"', '"name":"B#Why"'],
      ...[
        '"name":"p.png|9","isEmbedded":true',
        '"href":"#footnote-1"',
        '"id":"footnote-1"',
        '"children":"Mind"',
        '"id":"section-to-do-it"',
      ],
    ]
    for (const part of parts) expect(shown).to.include(part)
    expect(shown).not.to.include('[!warning]')
  })
})

/** The keys of each list of siblings in an element. */
function siblings(node: unknown): (string | null)[][] {
  if (Array.isArray(node)) {
    const keys = node.filter(isElement).map(({ key }) => key)
    return [...(keys.every((key) => key === null) ? [] : [keys]), ...node.flatMap(siblings)]
  }
  return isElement(node) ? siblings(node.props.children) : []
}

function isElement(node: unknown): node is ReactElement {
  return typeof node === 'object' && node !== null && 'props' in node
}
