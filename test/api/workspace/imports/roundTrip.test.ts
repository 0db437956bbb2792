import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { withFrontMatter } from '../../../../api/workspace/archives/internal/frontMatter.ts'
import { layOutArchive } from '../../../../api/workspace/archives/internal/layout.ts'
import { plainName } from '../../../../api/workspace/archives/internal/names.ts'
import { readFrontMatter } from '../../../../api/workspace/imports/internal/frontMatter.ts'
import { planImport } from '../../../../api/workspace/imports/internal/plan.ts'
import { Report } from '../../../../api/workspace/imports/internal/report.ts'
import { isIgnored, safePath } from '../../../../api/workspace/imports/paths.ts'
import { title as titleSchema } from '../../../../api/workspace/pages/write.ts'
import { importing, zipped } from '../../../kit/api/workspace/importing.ts'
import { startWorkspace, type TestPage, type Workspace } from '../../../kit/api/workspace/world.ts'

const TITLES = [
  ...['Plan: A/B', 'a/b: c?', 'CON', 'com¹', 'LPT³.txt', '.hidden', '[draft]', '[draft] of | it', 'README', 'index'],
  ...['_index', 'Same (2)', 'Twice', 'twice', 'note.md', 'Thumbs.db', '__MACOSX', 'x.textbundle', 'x.textpack', '..'],
  ...['../up', '/etc/passwd', 'C:', 'dots...', '# heading', 'C#', '"quoted"', "it's", '- list', 'key: value', '&a *b'],
  ...['true', '2026-01-01', '1.10', 'null', '---', '+++', '日'.repeat(200), 'w '.repeat(100).trim(), 'גן', 'à', '🏔️'],
  ...[`Export ${'a'.repeat(32)}`, '\\', 'a\\', '{{date}}', '!tag', '%2F', 'a___b', 'CONIN$', 'nul .x', '__proto__'],
]
const TEXTS = [
  ...['', 'x\n', '\n\nx', '---\ntitle: Other\n---\n\ny', '+++\ntitle = "O"\n+++\n', '---', '\ufeffmark', '---\n---\n'],
  ...[
    '# Heading\r\n',
    '----\n',
    '```yaml\na: b\n```\n',
    '---\nmarket: {"parent":"CON"}\n---\n',
    ' \n',
    'x'.repeat(200_000),
  ],
]
const titles = fc
  .oneof(fc.constantFrom(...TITLES), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }))
  .map((title) => titleSchema.safeParse(title).data)
  .filter((title) => title !== undefined)
const filenames = fc.constantFrom(
  'notes.md',
  'a?b.png',
  'CON.txt',
  'Thumbs.db',
  'x.textpack',
  'pic.png',
  `${'n'.repeat(190)}.pdf`,
)
const pages = fc.uniqueArray(
  fc.record({
    title: titles,
    text: fc.oneof(fc.constantFrom(...TEXTS), fc.string()).map((text) => text.replaceAll(/[\0[\]<()]/g, '')),
    above: fc.option(fc.nat(40)),
    files: fc.uniqueArray(filenames, { maxLength: 3 }),
  }),
  { selector: ({ title }) => title, minLength: 1, maxLength: 40 },
)

/** A page with its place and files, as a member sees it. */
interface Seen {
  title: string
  above: string | undefined
  text: string
  files: string[]
}

/** Returns what an import makes of the archive of these pages, and the paths there. */
async function throughArchive(given: readonly Seen[]): Promise<{ seen: Seen[]; paths: string[] }> {
  const content = {
    pages: given.map(({ title, above }) => ({ id: title, parent_id: above ?? null, title, version: 1 })),
    files: given.flatMap(({ title, files }) =>
      files.map((filename) => ({ pageId: title, filename, fileId: filename, isHarmless: true })),
    ),
  }
  const [texts, matters, files] = [new Map<string, string>(), new Map(), new Set<string>()]
  const entries = layOutArchive(content)
  for (const entry of entries) {
    expect([safePath(entry.path), isIgnored(entry.path)]).to.deep.equal([entry.path, false])
    if (!('pageId' in entry)) {
      files.add(entry.path)
      continue
    }
    const stored = given.find(({ title }) => title === entry.pageId)?.text ?? ''
    const { text, ...matter } = readFrontMatter(
      new TextDecoder().decode(Buffer.from(withFrontMatter(entry.path, entry.described, stored))),
    )
    texts.set(entry.path, text)
    matters.set(entry.path, matter)
  }
  const contents = { name: 'Space.zip', texts, matters, files }
  const written = await planImport(contents, async (asked) => [...asked], new Report())
  const seen = written.map(({ page, text, files: onPage }) => ({
    ...{ title: page.title, above: page.parent?.title, text, files: [...onPage.values()].sort() },
  }))
  return { seen, paths: entries.map(({ path }) => path) }
}

const byTitle = (seen: readonly Seen[]) => Object.fromEntries(seen.map((page) => [`t ${page.title}`, page]))

describe('an archive that is imported again', () => {
  let world: Workspace
  const { newSpace, importAll, pagesIn, filesOf } = importing(
    () => world,
    () => world.ada,
  )
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  it('makes the same pages, with their titles, texts, places and files, and has no path that a system refuses', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (drawn) => {
        const given = drawn.map(({ title, text, above, files }, index) => {
          const parent = above === null || above >= index ? undefined : drawn[above]?.title
          return { title, above: parent, text, files: [...files].sort() }
        })
        const { seen, paths } = await throughArchive(given)
        expect(byTitle(seen)).to.deep.equal(byTitle(given))
        for (const path of paths) {
          expect(path.length, path).to.be.at.most(240)
          expect(path).not.to.match(/[<>:"\\|?*\p{Cc}]|[. ](?:\/|$)/u)
          expect(path).not.to.match(
            /(?:^|\/)(?:\.|(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|\/|$))/i,
          )
        }
        expect(new Set(paths.map((path) => path.toLowerCase())).size).to.equal(paths.length)
      }),
      { numRuns: 200 },
    )
  })

  it('has the tree of pages below pages as it was, however deep', async () => {
    const deep = Array.from({ length: 60 }, (_, index) => ({
      title: `${index} ${'Deep '.repeat(index % 3 === 0 ? 1 : 30)}`.trim().slice(0, 200),
      above: undefined as string | undefined,
      text: '',
      files: [`${'n'.repeat(190)}.pdf`],
    }))
    for (const [index, page] of deep.entries()) page.above = deep[index - 1]?.title
    const { seen, paths } = await throughArchive(deep)
    expect(byTitle(seen)).to.deep.equal(byTitle(deep))
    for (const path of paths) expect(path.length, path).to.be.at.most(240)
  })

  it('leads each reference to the page or the file that it led to', async () => {
    const given = [
      {
        title: 'Plan: A/B',
        above: undefined,
        text: '[[CON]] [[y/B|b]] [[note.md]] ![[p?.png]] [[twice#x]]',
        files: ['p?.png'],
      },
      { title: 'CON', above: 'Plan: A/B', text: '![[pic.png]] [[notes.md]]', files: ['notes.md', 'pic.png'] },
      ...['Twice', 'twice', 'note', 'note.md', 'y', 'y/B'].map((title) => ({
        title,
        above: undefined,
        text: '',
        files: [],
      })),
      { title: 'B', above: 'y', text: '![[pic.png]]', files: ['pic.png'] },
    ]
    expect(byTitle((await throughArchive(given)).seen)).to.deep.equal(byTitle(given))
  })

  it('restores titles that no file can have, from a space to another', async () => {
    const make = async (path: string, body: object) => {
      const reply = await world.call('POST', path, world.ada, body)
      expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
      return reply.body as unknown as TestPage
    }
    const { id: space } = await make('/spaces', { name: 'Plans', visibility: 'private' })
    for (const title of TITLES.slice(0, 12)) await make('/pages', { space, title, text: `of ${title}` })
    const drafts = await make('/pages', { space, title: 'Drafts', text: '---\nno: title\n---\n[[CON]] [[aux.md]]' })
    await world.attach(drafts, 'x', 'aux.md')
    const answer = await fetch(`${world.api.baseUrl}/orgs/${world.slug}/spaces/${space}/archive`, {
      headers: { authorization: `Bearer ${world.ada.token}` },
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(Object.keys(unzipSync(bytes))).to.include.members(['Plan_ A_B.md', '_CON.md', '_com¹.md', 'README.md'])

    const other = await newSpace()
    await world.call('PATCH', `/spaces/${other}`, world.ada, { visibility: 'private' })
    expect(await importAll(bytes, other)).to.include({ state: 'finished', report_total: 0, files: 1 })
    const [before, after] = [await pagesIn(space), await pagesIn(other)]
    const textsOf = (all: typeof before) => Object.fromEntries([...all].map(([title, { text }]) => [title, text]))
    expect(textsOf(after)).to.deep.equal(textsOf(before))
    expect(await filesOf(after.get('Drafts'))).to.deep.equal(await filesOf(before.get('Drafts')))
  })

  it('has the titles that front matter of an archive gives', async () => {
    const space = await newSpace()
    const archive = zipped({
      'Plan_ A_B.md': '---\ntitle: "Plan: A/B"\n---\n\nx\n',
      '_CON.md': '---\ntitle: "CON"\n---\n\ny\n',
    })
    expect(await importAll(archive, space)).to.include({ state: 'finished', pages: 2, report_total: 0 })
    const texts = [...(await pagesIn(space))].map(([title, { text }]) => [title, text])
    expect(Object.fromEntries(texts)).to.deep.equal({ 'Plan: A/B': 'x\n', CON: 'y\n' })
  })

  it('is named so that Windows takes it', () => {
    for (const name of ['COM¹', 'lpt².zip', 'nul .x', 'CONOUT$']) expect(plainName(name), name).to.equal(`_${name}`)
  })
})
