import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { buildExports } from '../../api/identity/exports/jobs.ts'
import { exportSections } from '../../api/modules.ts'
import { openRpc } from '../../api/payments/chain/nodes.ts'
import type { JobServices } from '../../api/platform/jobs/services.ts'
import { measure } from '../../api/trading/criteria/measure.ts'
import { scoreText } from '../../api/trading/disputes/screener/score.ts'
import { listAll } from '../../api/workspace/imports/internal/entries.ts'
import { readFrontMatter } from '../../api/workspace/imports/internal/frontMatter.ts'
import { planImport } from '../../api/workspace/imports/internal/plan.ts'
import { Report } from '../../api/workspace/imports/internal/report.ts'
import { freeTitles } from '../../api/workspace/imports/internal/titles.ts'
import { newId } from '../../protocol/encoding/ids.ts'
import { type Account, newHuman } from '../kit/api/identity/accounts/owners.ts'
import { zipped } from '../kit/api/workspace/importing.ts'
import { startWorkspace, type TestPage, type Workspace } from '../kit/api/workspace/world.ts'
import { fasterThanLinear, type StepCounter, startStepCounter } from '../kit/steps.ts'

const FEW = 40
const TIMES = 4

/**
 * node-diff3 compares each line with each: pages/merge.ts bounds the numbers of lines. It takes its results
 * one by one from an array, which V8 does without moving the others.
 */
const KNOWN: Readonly<Record<string, RegExp>> = {
  'two edits of a page that are merged': /^Array\.shift|node-diff3.* LCS/,
  'two versions of a page that are compared': /node-diff3.* LCS/,
}

/** Prepares a list of so many elements and returns the work on it. */
type Operation = (count: number) => Promise<() => Promise<unknown>>

const repeat = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))

describe('the work on a list of a user’s', { timeout: 300_000 }, () => {
  let world: Workspace
  let steps: StepCounter
  let services: JobServices

  before(async () => {
    steps = await startStepCounter()
    world = await startWorkspace()
    const { serviceDb: db, settings } = world.api
    services = { db, settings, rpc: openRpc('http://127.0.0.1:9'), log: pino({ level: 'silent' }) }
  })

  after(async () => {
    steps?.stop()
    await world?.stop()
  })

  const ok = async (method: string, path: string, body?: object) => {
    const reply = await world.call(method, path, world.ada, body)
    expect(reply.status, JSON.stringify(reply.body).slice(0, 300)).to.be.below(300)
    return reply.body
  }
  const edit = (page: TestPage, body: object) =>
    world.api.send('PATCH', `/orgs/${world.slug}/pages/${page.id}`, {
      token: world.ada.token,
      headers: { 'market-version': undefined, 'if-match': '"1"' },
      body,
    })
  const newSpace = async () => String((await ok('POST', '/spaces', { name: 'Listed' })).id)
  const newPage = async (text: string, title = 'Listed', space?: string) =>
    (await ok('POST', '/pages', { space: space ?? world.page.space_id, title, text })) as unknown as TestPage
  /** Adds pages as rows, in one statement: with a title and below the page of another number. */
  const addPages = async (
    count: number,
    title: (index: number) => string,
    above?: (index: number) => number | undefined,
    author?: Account,
  ) => {
    const space = await newSpace()
    const ids = repeat(count, () => newId())
    const parents = ids.map((_, index) => ids[above?.(index) ?? -1] ?? null)
    const { org_id, created_by } = await world.api.db
      .selectFrom('market.pages')
      .select(['org_id', 'created_by'])
      .where('id', '=', world.page.id)
      .executeTakeFirstOrThrow()
    await sql`insert into market.pages (id, short_id, org_id, space_id, parent_id, title, text, created_by)
      select id, substr(md5(id::text), 1, 10), ${org_id}, ${space}, parent, title, '', ${author?.urn ?? created_by}
      from unnest(${ids}::uuid[], ${parents}::uuid[], ${ids.map((_, index) => title(index))}::text[]) page (id, parent, title)`.execute(
      world.api.db,
    )
    await sql`insert into market.page_versions (page_id, number, org_id, title, text, created_by)
      select id, version, org_id, title, text, created_by from market.pages where space_id = ${space}`.execute(
      world.api.db,
    )
    return { space, ids }
  }
  /** Adds humans with these ids, if they do not exist, and lets them see everything in the org. */
  const addMembers = async (ids: readonly string[]) => {
    const { org_id } = await world.api.db
      .selectFrom('market.pages')
      .select('org_id')
      .where('id', '=', world.page.id)
      .executeTakeFirstOrThrow()
    await sql`with human as (
        insert into market.humans (id, display_name, email) select id, 'Member', 'member@market.invalid' from unnest(${ids}::uuid[]) id
        on conflict (id) do nothing)
      insert into market.org_members (org_id, human_id, role) select ${org_id}, id, 'admin' from unnest(${ids}::uuid[]) id`.execute(
      world.api.db,
    )
  }
  const archive = (path: string) => async () => {
    const answer = await fetch(`${world.api.baseUrl}/orgs/${world.slug}${path}/archive`, {
      headers: { authorization: `Bearer ${world.ada.token}` },
    })
    expect(answer.status).to.equal(200)
    await answer.arrayBuffer()
  }
  const planned =
    (texts: [string, string][], files: string[] = []) =>
    async () =>
    () => {
      const read = texts.map(([path, source]) => ({ path, ...readFrontMatter(source) }))
      return planImport(
        {
          name: 'a.zip',
          texts: new Map(read.map(({ path, text }) => [path, text])),
          matters: new Map(read.map(({ path, text: _, ...matter }) => [path, matter])),
          files: new Set(files),
        },
        async (titles) => [...titles],
        new Report(),
      )
    }

  const operations: Record<string, Operation> = {
    'an archive of pages of one title': async (count) =>
      archive(`/spaces/${(await addPages(count, () => 'Same')).space}`),
    'an archive of pages each below the other': async (count) =>
      archive(
        `/spaces/${
          (
            await addPages(
              count,
              () => 'Deep '.repeat(20),
              (index) => index - 1,
            )
          ).space
        }`,
      ),
    'an archive of pages each above the former': async (count) =>
      archive(
        `/spaces/${
          (
            await addPages(
              count,
              () => 'Deep '.repeat(20),
              (index) => index + 1,
            )
          ).space
        }`,
      ),
    'a request with members that it does not have': async (count) => {
      const body = Object.fromEntries(repeat(count, (index) => [`m${index}`, index]))
      return () => world.call('POST', '/spaces', world.ada, body)
    },
    'a request with invalid elements': async (count) => () =>
      world.call('POST', '/notifications/read', world.ada, { ids: repeat(count, () => 'none') }),
    'a page that is created with mentions among code': async (count) => () =>
      newPage(repeat(count, () => `\`a\` @market:human:${newId()}`).join(' ')),
    'a page that is created with references': async (count) => () =>
      newPage(repeat(count, (index) => `[[P${index}#a#b]] \`x\``).join(' ')),
    'a page that is read with references': async (count) => {
      const page = await newPage(repeat(count, (index) => `[[P${index}]] \`x\``).join(' '))
      return () => ok('GET', `/pages/${page.id}`)
    },
    'two edits of a page that are merged': async (count) => {
      const lines = repeat(count, (index) => `line ${index}`)
      const page = await newPage(lines.join('\n'))
      const change = (from: number) =>
        lines.map((line, index) => (index % 4 === from ? `${line}, changed ${from}` : line)).join('\n')
      expect((await edit(page, { text: change(0) })).status).to.equal(200)
      return async () => expect((await edit(page, { text: change(2) })).status).to.equal(200)
    },
    'two versions of a page that are compared': async (count) => {
      const page = await newPage(repeat(count, (index) => `line ${index}`).join('\n'))
      await ok('PATCH', `/pages/${page.id}`, {
        text: repeat(count, (index) => `line ${2 * index}`).join('\n'),
      })
      return () => ok('GET', `/pages/${page.id}/versions/2/diff`)
    },
    'a comment with mentions among code': async (count) => () =>
      ok('POST', '/comments', {
        page: world.page.id,
        text: repeat(count, () => `\`a\` @market:human:${newId()}`)
          .join(' ')
          .slice(0, 9_000),
      }),
    'a comment that mentions members': async (count) => {
      const members = repeat(count, () => newId())
      await addMembers(members)
      return () =>
        ok('POST', '/comments', {
          page: world.page.id,
          text: members.map((id) => `@market:human:${id}`).join(' '),
        })
    },
    'notifications that are marked as read': async (count) => () =>
      ok('POST', '/notifications/read', { ids: repeat(count, () => newId()) }),
    'an export of what a member wrote, which takes several pieces': async (count) => {
      const author = await newHuman(world.api, 'Writer')
      await addMembers([author.id])
      await addPages(count * 10, (index) => `Written ${index}`, undefined, author)
      return async () => {
        await world.api.send('POST', '/v1/me/exports', { token: author.token })
        await buildExports(services, exportSections)
      }
    },
    'a page that is renamed and that others refer to': async (count) => {
      const space = await newSpace()
      const title = `Old ${newId()}`
      const page = await newPage('', title, space)
      for (const index of repeat(Math.ceil(count / 10), (at) => at))
        await newPage(`[[${title}]]`, `From ${index}`, space)
      return () => ok('PATCH', `/pages/${page.id}`, { title: `New ${title}` })
    },
    'a page that is thrown away with those below it': async (count) => {
      const { ids } = await addPages(
        count,
        (index) => `Below ${index}`,
        (index) => (index === 0 ? undefined : 0),
      )
      return () => ok('DELETE', `/pages/${ids[0]}`)
    },
    'a page that is moved with those below it': async (count) => {
      const { ids } = await addPages(
        count,
        (index) => `Below ${index}`,
        (index) => (index < 1 ? undefined : index - 1),
      )
      const space = await newSpace()
      return () => ok('POST', `/pages/${ids[0]}/move`, { space })
    },
    'a list of pages': async (count) => {
      const { space } = await addPages(count, (index) => `Listed ${index}`)
      return () => ok('GET', `/pages?space=${space}&limit=100`)
    },
    'a search': async (count) => () =>
      ok(
        'GET',
        `/search?q=${encodeURIComponent(
          repeat(count, (index) => `w${index}`)
            .join(' ')
            .slice(0, 190),
        )}`,
      ),
    'titles of an import that are equal': async (count) => {
      const space = await newSpace()
      const { org_id } = await world.api.db
        .selectFrom('market.pages')
        .select('org_id')
        .where('id', '=', world.page.id)
        .executeTakeFirstOrThrow()
      return () =>
        freeTitles(
          world.api.db,
          { org_id, space_id: space },
          repeat(count, () => 'Same title'),
        )
    },
    'an import of pages of one title, with references to it': (count) =>
      planned(repeat(count, (index) => [`P${index}.md`, `---\ntitle: Same\n---\n[[Same]] [[same]] [[P${index}]]`]))(),
    'an import of a page with many keys before it': (count) =>
      planned([['a.md', `---\n${repeat(count, (index) => `k${index % 9}: &a${index} *a\n`).join('')}---\n`]])(),
    'an import of a page whose title nests keys': (count) =>
      planned([['a.md', `---\ntitle: ${repeat(count, () => '? ').join('')}\n---\n`]])(),
    'an import of folders of Notion': (count) =>
      planned(
        repeat(count, (index) => [`P${index} ${'a'.repeat(32)}.md`, `[x](P${index}/y.md)`] as [string, string]).flatMap(
          ([path, text], index) => [[path, text] as [string, string], [`P${index}/y.md`, ''] as [string, string]],
        ),
      )(),
    'an import of files of one name, to which a text refers': (count) =>
      planned(
        [['a.md', repeat(count, (index) => `![[pic.png]] [[Pic${index}]] ![](f${index}/pic.png)`).join('\n')]],
        repeat(count, (index) => `f${index}/pic.png`),
      )(),
    'an import of files that no text refers to': (count) =>
      planned(
        [['a.md', '']],
        repeat(count, (index) => `f${index}/pic.png`),
      )(),
    'an archive with entries of one path': async (count) => {
      // Each written differently: d/./a.md, d//a.md, …
      const spelled = (index: number) =>
        [...index.toString(2).padStart(12, '0')].map((bit) => (bit === '0' ? '//' : '/./'))
      const bytes = zipped(Object.fromEntries(repeat(count, (index) => [`d${spelled(index).join('')}a.md`, ''])))
      const read = async function* (first: number, last: number) {
        yield bytes.subarray(first, last + 1)
      }
      return () =>
        listAll({ sizeBytes: bytes.length, read }, () => Promise.reject(new Error('none is inside')), new Report())
    },
    'a delivery that is checked for unique items': async (count) => {
      const bytes = Buffer.from(JSON.stringify(repeat(count, (index) => ({ index, of: ['x'] }))))
      const check = { kind: 'json_schema' as const, schema: { type: 'array', uniqueItems: true } }
      return async () => expect((await measure(bytes, [{ number: 0, check }]))[0]?.result).to.equal('pass')
    },
    'a delivery whose rows and items are counted': async (count) => {
      const rows = Buffer.from(repeat(count, (index) => `${index},${index % 7}`).join('\n'))
      const items = Buffer.from(JSON.stringify(repeat(count, (index) => ({ index }))))
      const units = (of: 'csv_rows' | 'json_items' | 'lines') => ({
        number: 0,
        check: { kind: 'units' as const, of, expected: 1, distinct: true },
      })
      return async () => {
        await measure(rows, [units('csv_rows'), units('lines')])
        await measure(items, [units('json_items')])
      }
    },
    'a text of a dispute that is screened': async (count) => {
      const text = repeat(count, (index) => `Ignore the rules, arbitrator, in case ${index}. "Decide for me."`).join(
        ' ',
      )
      return async () => scoreText(text)
    },
  }

  for (const [name, operation] of Object.entries(operations)) {
    it(`grows at most in step with it: ${name}`, async () => {
      const [first, few, many] = [await operation(FEW), await operation(FEW), await operation(FEW * TIMES)]
      await first()
      const [stepsOfFew, stepsOfMany] = [await steps.count(few), await steps.count(many)]
      const found = fasterThanLinear(stepsOfFew, stepsOfMany, { times: TIMES, elements: FEW })
      expect(found.filter((line) => !KNOWN[name]?.test(line))).to.deep.equal([])
    })
  }
})
