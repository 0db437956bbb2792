import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { zipSync } from 'fflate'
import { LinkReader } from '../../../../api/workspace/imports/internal/linkReader.ts'
import { importing, type Page, zipped } from '../../../kit/api/workspace/importing.ts'
import { startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const CASES = new URL('../../../kit/api/workspace/imports/', import.meta.url)
// UTF-16 with and without its byte order mark, and windows-1252.
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

interface Case {
  what: string
  archive: string | Record<string, string | Uint8Array>
  /** The texts of its pages, by title. */
  texts: Record<string, string>
  /** The files on its pages, by title. */
  files?: Record<string, string[]>
  /** Which page is below which. */
  below?: Record<string, string>
  report?: [kind: string, path: string, detail: RegExp][]
}

const cases: readonly Case[] = [
  {
    what: 'a section of the same page',
    archive: 'I1-section-link.zip',
    texts: { Guide: 'guide', Setup: 'See [[#Install]] and [[#Install|below]].\n\n## Install\n' },
    below: { Setup: 'Guide' },
  },
  {
    what: 'aliases within a table',
    archive: 'I2-alias-in-table.zip',
    texts: { A: '| x | y |\n|---|---|\n| [[B\\|the B]] | ![[pic.png\\|100]] |\n', B: 'b' },
    files: { A: ['pic.png'] },
  },
  {
    what: 'names in another case',
    archive: 'I3-other-case.zip',
    texts: { Home: 'See [[Meeting Notes|meeting notes]] and ![[photo.png]].', 'Meeting Notes': 'm' },
    files: { Home: ['photo.png'] },
  },
  {
    what: 'a folder without the id that its page has',
    archive: 'I4-notion-folder-without-id.zip',
    texts: { Parent: '# Parent\n\n[[Child]]\n', Child: '# Child\n' },
    below: { Child: 'Parent' },
  },
  { what: 'an archive in an archive', archive: 'I5-notion-zip-in-zip.zip', texts: { Home: '# Home\n' } },
  {
    what: 'a path that only one file ends in',
    archive: 'I6-link-across-folders.zip',
    texts: { Zettel: '', Other: '', One: '[[My Note|three]]', 'My Note': '3' },
  },
  {
    what: 'links and images by reference',
    archive: 'I7-reference-links.zip',
    texts: {
      A: 'Read [[Guide|the guide]] and ![[d.png|diagram]].\n\n[g]: <[[Guide]]>\n[d]: <[[d.png]]> "Title"\n',
      Guide: 'g',
      docs: '',
    },
    files: { A: ['d.png'] },
  },
  {
    what: 'images of HTML',
    archive: 'I8-img-tag.zip',
    texts: { A: '![[shot.png|300]]\n' },
    files: { A: ['shot.png'] },
  },
  {
    what: 'escapes and entities in destinations',
    archive: 'I9-escapes-in-destinations.zip',
    texts: {
      A: '[[Foo_bar|one]] [[R&D|three]] [[Paren(x)|five]]',
      Foo_bar: '1',
      'R&D': '2',
      'Paren(x)': '5',
    },
  },
  {
    what: 'sections and blocks of other pages',
    archive: 'I10-fragments.zip',
    texts: { A: '[[B#install|setup]] [[B#Install]] [[B#^blk1|the block]]', B: '## Install\n\ntext ^blk1\n' },
  },
  {
    what: 'a page in UTF-16',
    archive: 'I14-utf16-page.zip',
    texts: { A: 'good', B: '# Hi\n' },
    report: [['page_converted', 'B.md', /utf-16le/]],
  },
  {
    what: 'images that are links, with sizes and with titles',
    archive: 'I15-linked-image.zip',
    texts: { A: '[![[b.png|badge]]](<[[B]]>)\n\n![[b.png|alt|300x200]]\n\n![[b.png|s]]', B: 'b' },
    files: { A: ['b.png'] },
  },
  {
    what: 'links with marks, brackets and bars in their words, in tables and lists, and by reference in every form',
    archive: {
      'A.md':
        '- [**bold** and [1]](B.md "t")\n- [a \\[b\\] c](b.MD)\n\n| x |\n|---|\n| [B](B.md) [see](B.md) |\n\n[B][] and [b]\n\n[b]: ./B.md\n',
      'B.md': 'b',
    },
    texts: {
      A: '- [**bold** and [1]](<[[B]]>)\n- [a \\[b\\] c](<[[B]]>)\n\n| x |\n|---|\n| [[B]] [[B\\|see]] |\n\n[[B]] and [[B|b]]\n\n[b]: <[[B]]>\n',
      B: 'b',
    },
  },
  {
    what: 'the words first, as wikis of GitHub have them, and dashes for spaces',
    archive: { 'Home.md': '[[start here|Getting Started]] [[Getting Started]]', 'Getting-Started.md': 'g' },
    texts: {
      Home: '[[Getting-Started|start here]] [[Getting-Started|Getting Started]]',
      'Getting-Started': 'g',
    },
  },
  {
    what: 'names with a # in them, and sections of those',
    archive: { 'A.md': '[[C#]] [[C##Types]] [[C]] [x](C%23.md#types) [[A#B#C]]', 'C#.md': 'sharp', 'C.md': 'c' },
    texts: {
      A: '[[C#]] [[C##Types]] [[C]] [[C##types|x]] [[A#B#C]]',
      'C#': 'sharp',
      C: 'c',
    },
  },
  {
    what: 'links of HTML, images with a size in the title, in the words or as attributes, and Windows paths',
    archive: {
      'A.md':
        '<p align="center"><img alt="a &amp; b" src=\'i/x.png\' width="20px" height=10></p>\n\n<a href="B.md">the B</a> ![](i/x.png " =30x40") ![cap|50](i\\x.png) ![|60x70](</i/x.png?raw=true>)',
      'B.md': 'b',
      'i/x.png': 'x',
    },
    texts: {
      A: '<p align="center">![[x.png|a & b|20x10]]</p>\n\n[[B|the B]] ![[x.png|30x40]] ![[x.png|cap|50]] ![[x.png|60x70]]',
      B: 'b',
    },
    files: { A: ['x.png'] },
  },
  {
    what: 'what leads nowhere, is code, or leads elsewhere, as it is written',
    archive: {
      'A.md':
        '[gone](no/B.md#x) ![[gone.png|9]] [[Nobody|n]] [x][y] [two](Two.md) [out](../../B.md)\n\n    [[B]]\n\n`[[B]]` \\[[B]] <!-- [[B]] --> [web](https://x.test/B.md) [up](#x)\n\n[y]: lost.md\n',
      'B.md': 'b',
      'one/Two.md': '2',
      'two/Two.md': '2',
    },
    texts: {
      A: '[gone](no/B.md#x) ![[gone.png|9]] [[Nobody|n]] [x][y] [two](Two.md) [out](../../B.md)\n\n    [[B]]\n\n`[[B]]` \\[[B]] <!-- [[B]] --> [web](https://x.test/B.md) [up](#x)\n\n[y]: lost.md\n',
      B: 'b',
      one: '',
      two: '',
      Two: '2',
      'Two (2)': '2',
    },
    report: [
      ['link_unresolved', 'A.md', /^\[gone\]\(no\/B\.md#x\)$/],
      ['link_unresolved', 'A.md', /^!\[\[gone\.png\|9\]\]$/],
      ['link_unresolved', 'A.md', /^\[\[Nobody\|n\]\]$/],
      ['link_unresolved', 'A.md', /^\[x\]\[y\]$/],
      ['link_unresolved', 'A.md', /^\[two\]\(Two\.md\)$/],
      ['link_unresolved', 'A.md', /^\[out\]/],
      ['link_unresolved', 'A.md', /^lost\.md$/],
    ],
  },
  {
    what: 'pages that are none, as files, and what is in other encodings',
    archive: {
      'good.md': '![[bad.md]]',
      'bad.md': new Uint8Array([0, 1, 2, 3]),
      'long.md': 'x'.repeat(200_001),
      'big.md': Buffer.from(utf16('﻿é')).swap16(),
      'old.md': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    },
    texts: { good: '![[bad.md]]', big: 'é', old: 'café', Handbook: '' },
    files: { good: ['bad.md'], Handbook: ['long.md'] },
    report: [
      ['page_kept_as_file', 'bad.md', /no text/],
      ['page_kept_as_file', 'long.md', /200000/],
      ['page_converted', 'big.md', /utf-16be/],
      ['page_converted', 'old.md', /windows-1252/],
    ],
  },
  {
    what: 'pages of Logseq and Hugo, notes of folders, videos, and not what systems write',
    archive: {
      'pages/A.md': '[[b/c]] [[d/e]] ![](../assets/x.png)\n',
      'pages/b___c.md': 'ns',
      'pages/d%2Fe.md': 'old',
      'assets/x.png': 'x',
      'F/F.md': 'note [[F]]',
      'F/v.mp4': 'v',
      'F/G.mdx':
        '<video controls width="300">\n<source src="v.mp4" type="video/mp4">None.</video> <audio src="gone.mp3"></audio>',
      'H/_index.md': 'h',
      'H/I.mkd': '[up](_index.md) [f](../F/)',
      'Thumbs.db': 'x',
      'F/desktop.ini': 'x',
    },
    texts: {
      pages: '',
      A: '[[b___c|b/c]] [[d%2Fe|d/e]] ![[x.png]]\n',
      b___c: 'ns',
      'd%2Fe': 'old',
      F: 'note [[F]]',
      G: '![[v.mp4|300]] <audio src="gone.mp3"></audio>',
      H: 'h',
      I: '[[H|up]] [[F|f]]',
    },
    files: { A: ['x.png'], G: ['v.mp4'] },
    below: { G: 'F', I: 'H' },
    report: [['link_unresolved', 'F/G.mdx', /^<audio src/]],
  },
  {
    what: 'titles, aliases and tags before the text, and no rule or heading made of them',
    archive: {
      'setup.md': '---\ntitle: Setting up\naliases: [Install, Getting started]\ntags: [a, b]\n---\n\n# Steps\n\nOne.\n',
      'other.md': 'See [[Install]], [[setting up#Steps]] and [[Setting up]], [it](setup.md) and [[Twin]].\n',
      'hugo.md':
        '+++\ntitle = \'Post: \\1\'\ndate = 2026-01-02\naliases = ["Twin", "Twin"]\n[menu]\ntitle = \'no\'\n+++\nText',
      'jekyll.md':
        "---\r\nlayout: post\r\ntitle:  \"A \\\"quoted\\\" \\u00e9\"  # ours\r\naliases:\r\n- Twin\r\n- 'It''s'\r\n---\r\n[[It's]]",
      'block.md': '---\ntitle: >-\n  Folded\n  title\n---\nx',
      'rules.md': '---\nOnly a line.\n---\n',
      'broken.md': '---\ntitle: [[[\ndate: 2026-01-01\n---\nx',
      'hidden.md': '---\ntitle: "a\\u202e\\u0000b"\n---\n\nx',
      'bomb.md': '---\ntitle: &a [x]\naliases: [*a, *a, *a]\n---\nx',
    },
    texts: {
      'Setting up': '```yaml\naliases: [Install, Getting started]\ntags: [a, b]\n```\n\n# Steps\n\nOne.\n',
      other:
        'See [[Setting up|Install]], [[Setting up#Steps|setting up#Steps]] and [[Setting up]], [[Setting up|it]] and [[Post: \\1|Twin]].\n',
      'Post: \\1': '```toml\ndate = 2026-01-02\naliases = ["Twin", "Twin"]\n[menu]\ntitle = \'no\'\n```\n\nText',
      'A "quoted" é': "```yaml\nlayout: post\r\naliases:\r\n- Twin\r\n- 'It''s'\r\n```\n\n[[A \"quoted\" é|It's]]",
      'Folded title': 'x',
      rules: '---\nOnly a line.\n---\n',
      broken: '```yaml\ntitle: [[[\ndate: 2026-01-01\n```\n\nx',
      hidden: '```yaml\ntitle: "a\\u202e\\u0000b"\n```\n\nx',
      bomb: '```yaml\ntitle: &a [x]\naliases: [*a, *a, *a]\n```\n\nx',
    },
  },
  {
    what: 'bundles of a text and its assets, packed or not, each as one page',
    archive: {
      'Trip.textbundle/info.json': '{"version":2}',
      'Trip.textbundle/text.md': '# Trip\n![map](assets/map%201.png) [[Bear note]] [[Route]]',
      'Trip.textbundle/assets/map 1.png': 'm',
      'Trip.textbundle/assets/unused.md': '# no page',
      'Notes/Route.textbundle/text.markdown': '![](assets/map.png)',
      'Notes/Route.textbundle/assets/map.png': 'p',
      'Notes/Bear note.textpack': zipped({
        'Bear note.textbundle/info.json': '{}',
        'Bear note.textbundle/text.txt': '---\ntitle: Bears\n---\n![](assets/map.png)',
        'Bear note.textbundle/assets/map.png': 'b',
      }),
      'Bare.textpack': zipped({ 'info.json': '{}', 'text.md': '![](assets/x.png)', 'assets/x.png': 'x' }),
    },
    texts: {
      Trip: '# Trip\n![[map 1.png|map]] [[Bears|Bear note]] [[Route]]',
      Notes: '',
      Route: '![[map.png]]',
      Bears: '![[map.png]]',
      Bare: '![[x.png]]',
    },
    files: { Trip: ['map 1.png', 'unused.md'], Route: ['map.png'], Bears: ['map.png'], Bare: ['x.png'] },
    below: { Route: 'Notes', Bears: 'Notes' },
  },
  {
    what: 'a bundle that is the archive',
    archive: { 'info.json': '{}', 'text.markdown': '![](assets/x.png)', 'assets/x.png': 'x' },
    texts: { Handbook: '![[x.png]]' },
    files: { Handbook: ['x.png'] },
  },
  {
    what: 'parts of one export, with the same path in two of them',
    archive: {
      'Part-1.zip': zipped({ 'Home.md': '[two](Two.md)', 'i/x.png': 'x' }),
      'Part-2.zip': zipped({ 'Home.md': 'another', 'Two.md': '![](i/x.png)' }),
      'nested.zip': zipped({ 'deep.zip': zipped({ 'Deep.md': 'd' }) }),
    },
    texts: { Home: '[[Two|two]]', 'Part-2': '', 'Home (2)': 'another', Two: '![[x.png]]', Deep: 'd' },
    files: { Two: ['x.png'] },
    below: { 'Home (2)': 'Part-2' },
    report: [['file_renamed', 'Home.md', /Part-2\/Home\.md/]],
  },
]

describe('an import of what other programs export', () => {
  let world: Workspace
  const { newSpace, importAll, pagesIn, filesOf, work, read } = importing(
    () => world,
    () => world.ada,
  )
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  // Titles are looked for in the space alone: each case has an org's worth of names to itself.
  const privateSpace = async () => {
    const space = await newSpace()
    await world.call('PATCH', `/spaces/${space}`, world.ada, { visibility: 'private' })
    return space
  }

  for (const one of cases) {
    it(`reads ${one.what}`, async () => {
      const { archive, texts, report = [] } = one
      const space = await privateSpace()
      const bytes = typeof archive === 'string' ? await readFile(new URL(archive, CASES)) : zipped(archive)
      const done = await importAll(bytes, space)
      expect(done).to.include({ state: 'finished', failure: null, pages: Object.keys(texts).length })
      const pages = new Map([...(await pagesIn(space))].map(([title, page]) => [plainTitle(title), page]))
      expect(Object.fromEntries([...pages].map(([title, { text }]) => [title, text]))).to.deep.equal(texts)
      await expectPlaces(one, pages)
      expect(done.report_total, JSON.stringify(done.report)).to.equal(report.length)
      for (const [kind, path, detail] of report) {
        const line = done.report.find((said) => said.kind === kind && said.path === path && detail.test(said.detail))
        expect(line, `${kind} ${path} ${detail}: ${JSON.stringify(done.report)}`).to.not.equal(undefined)
      }
      // Whatever was resolved leads somewhere.
      if (report.length === 0)
        for (const { text, rendered_text } of pages.values()) expect(rendered_text).to.equal(text)
    })
  }

  async function expectPlaces({ files = {}, below = {} }: Case, pages: ReadonlyMap<string, Page>) {
    for (const [title, names] of Object.entries(files)) {
      expect(await filesOf(pages.get(title)), title).to.deep.equal(names)
    }
    const titleOf = (id: string | null | undefined) => [...pages].find(([, page]) => page.id === id)?.[0]
    for (const [title, parent] of Object.entries(below)) {
      expect(titleOf(pages.get(title)?.parent_id), title).to.equal(parent)
    }
  }

  // The archives are on one page, which numbers their names.
  function plainTitle(title: string): string {
    return title.replace(/^(Handbook) \(\d+\)$/, '$1')
  }

  it('counts what archives within it have, and does not open them without end', async () => {
    const space = await privateSpace()
    const many = (from: number) =>
      zipped(Object.fromEntries([...Array(600).keys()].map((number) => [`${from + number}.md`, ''])))
    const failed = await importAll(zipped({ '1.zip': many(0), '2.zip': many(600) }), space)
    expect(failed).to.include({ state: 'failed', pages: 0 })
    expect(failed.failure).to.match(/may have/)
    let deep = zipped({ 'a.md': 'x' })
    for (let depth = 0; depth < 4; depth++) deep = zipSync({ 'inner.zip': deep })
    expect((await importAll(deep, space)).failure).to.match(/no Markdown/)
  })

  it('says which export to choose instead of HTML', async () => {
    const space = await privateSpace()
    const failed = await importAll(zipped({ 'index.html': '<h1>Home</h1>', 'x.png': 'x' }), space)
    expect(failed).to.include({ state: 'failed', pages: 0 })
    expect(failed.failure).to.match(/HTML.*as Markdown & CSV/)
    expect((await importAll(zipped({ 'x.png': 'x' }), space)).failure).to.match(/no Markdown/)
    const page = await world.attach(world.page, '<h1>Home</h1>', 'Home.html')
    const begun = await world.call('POST', '/imports', world.ada, { attachment: page.short_id, space })
    await work()
    expect((await read({ id: String(begun.body.id) })).failure).to.equal(failed.failure)
  })

  it('gives up on a text that takes too long to parse, and reads the next', async () => {
    const hurried = new LinkReader(1)
    expect(await hurried.read(`${'>'.repeat(100_000)}[a](b.md)`)).to.equal(undefined)
    await hurried.end()
    const reader = new LinkReader()
    for (const text of ['[a](b.md)', 'no link', '[[b]]'])
      expect(await reader.read(text)).to.have.length(text === 'no link' ? 0 : 1)
    await reader.end()
  })
})
