import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { createServer, type ViteDevServer } from 'vite'
import { ROOT } from '../../cli/machine/paths.ts'

interface ReactElement {
  type: unknown
  key: string | null
  props: { children?: unknown }
}

describe('markdown in the console', () => {
  let vite: ViteDevServer
  let show: (text: string) => ReactElement
  before(async () => {
    vite = await createServer({
      ...{ configFile: false, root: `${ROOT}console`, logLevel: 'error', appType: 'custom' },
      ...{ optimizeDeps: { noDiscovery: true }, server: { middlewareMode: true, hmr: false, ws: false, watch: null } },
    })
    const { Markdown } = await vite.ssrLoadModule('/ui/Markdown.tsx')
    show = (text) => Markdown({ text })
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
