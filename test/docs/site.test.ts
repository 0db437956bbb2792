import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { DOCS_PAGES } from '../../api/platform/docs/internal/navigation.ts'
import { addressOfLink, renderPage } from '../../api/platform/docs/internal/render.ts'
import { partsOf, searchHtml, searchParts } from '../../api/platform/docs/internal/search.ts'
import { ROOT } from '../../cli/machine/paths.ts'

const files = [
  ...globSync('docs/**/*.md', { cwd: ROOT }),
  'test/attacks.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
].sort()
const rendered = new Map(
  DOCS_PAGES.map((page) => [page, renderPage(page.file, readFileSync(ROOT + page.file, 'utf8'))] as const),
)

describe('the documentation', () => {
  it('has every file once in its navigation', () => {
    expect(DOCS_PAGES.map(({ file }) => file).sort()).to.deep.equal(files)
    expect(new Set(DOCS_PAGES.map(({ path }) => path)).size).to.equal(DOCS_PAGES.length)
  })

  it('links to files that are there, and to headings that are there', () => {
    const anchors = new Map(
      [...rendered].map(([page, { html }]) => [page.file, html.matchAll(/ id="([^"]+)"/g)] as const),
    )
    const ids = new Map([...anchors].map(([file, found]) => [file, new Set([...found].map(([, id]) => id))] as const))
    const broken = [...files, 'README.md'].flatMap((file) =>
      linksOf(file)
        .filter((href) => !isThere(file, href, ids))
        .map((href) => `${file}: ${href}`),
    )
    expect(broken).to.deep.equal([])
  })

  it('lets nobody install the SDK by a name on npm that is not registered, except where it says so', () => {
    const texts = [...files, 'README.md', 'sdk/README.md', 'sdk/CHANGELOG.md', 'CHANGELOG.md']
    const byName = texts.filter((file) => /npm (install|i|add) @agent-market/.test(readFileSync(ROOT + file, 'utf8')))
    expect(byName).to.deep.equal(['docs/packages.md'])
  })

  it('has a row about thefts for every role of the database', () => {
    const thefts = readFileSync(`${ROOT}docs/security.md`, 'utf8')
    for (const role of readFileSync(`${ROOT}api/platform/db/roles.ts`, 'utf8').match(/market_\w+/g) ?? [])
      expect(thefts).to.include(`\`${role}\``)
  })

  it('is HTML without scripts, styles and frames of its own, each page with one title', () => {
    for (const [{ file }, { html, title }] of rendered) {
      expect(html, file).to.not.match(/<script|<style|\bstyle=|\bon\w+=|<iframe/)
      expect(html.match(/<h1>/g)?.length, file).to.equal(1)
      expect(title, file).to.not.equal('')
    }
  })

  it('is searched by words: all of them, names and headings before texts, and each hit leads to its heading', () => {
    const parts = [...rendered].flatMap(([page, { html }]) => partsOf(page, html))
    const [first] = searchParts(parts, 'exit CODES')
    expect([first?.page.path, first?.id]).to.deep.equal(['cli', 'exit-codes'])
    expect(searchParts(parts, 'idempotency/in-flight').map(({ page }) => page.path)).to.include('problems')
    expect(searchParts(parts, 'SUBMITTER_KEYS zebra')).to.deep.equal([])
    expect(searchParts(parts, ' ')).to.deep.equal([])
    const asked = searchHtml('<b>&', [])
    expect(asked).to.include('&lt;b&gt;&amp;').and.not.include('<b>')
    expect(searchHtml('exit codes', first ? [first] : [])).to.include('href="/docs/cli#exit-codes"')
  })

  it('renders links between files as links between pages, and files of the source as their names', () => {
    expect(addressOfLink('docs/contracts/fund.md', '../operate/machines.md#health')).to.equal(
      '/docs/operate/machines#health',
    )
    expect(addressOfLink('docs/start/buyer.md', '../../examples/buyer.ts')).to.equal('/docs/examples/buyer.ts')
    expect(addressOfLink('docs/concepts/money.md', '../contracts/README.md')).to.equal('/docs/contracts')
    expect(addressOfLink('docs/audit.md', '../audit/audit.ts')).to.equal(undefined)
    const { html, headings } = renderPage(
      'docs/x.md',
      '# X\n\n## A `b` & c\n\n[s](../audit/audit.ts) <b>\n\n## A b & c\n',
    )
    expect(headings.map(({ id }) => id)).to.deep.equal(['a-b--c', 'a-b--c-1'])
    expect(html).to.include('<span class="source" title="In the source: audit/audit.ts">s</span>')
  })
})

function linksOf(file: string): string[] {
  const text = readFileSync(ROOT + file, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .flatMap(([, href]) => href ?? [])
    .filter((href) => !/^(https?:|\/)/.test(href))
}

function isThere(file: string, href: string, ids: ReadonlyMap<string, ReadonlySet<string | undefined>>): boolean {
  const [target = '', fragment] = href.split('#')
  const path = target === '' ? file : new URL(target, `file:///${file}`).pathname.slice(1).replace(/\/$/, '')
  if (!existsSync(ROOT + path)) return false
  const page = ids.get(path) ?? ids.get(`${path}/README.md`)
  return fragment === undefined || page === undefined || page.has(fragment)
}
