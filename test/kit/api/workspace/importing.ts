import { expect } from 'chai'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { runImports } from '../../../../api/workspace/imports/run.ts'
import type { Account } from '../identity/accounts/owners.ts'
import type { Workspace } from './world.ts'

/** An import as the API answers it. */
export interface Import {
  id: string
  short_id: string
  state: string
  failure: string | null
  pages: number
  files: number
  report: { kind: string; path: string; detail: string }[]
  report_total: number
}

/** A page as the API answers it. */
export interface Page {
  id: string
  short_id: string
  title: string
  parent_id: string | null
  text: string
  rendered_text: string
  references: { name: string; id: string }[]
}

/** A zip archive of files. */
export function zipped(files: Record<string, string | Uint8Array>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, data]) => [path, typeof data === 'string' ? strToU8(data) : data]),
    ) as Zippable,
  )
}

/** What imports archives in a workspace, as an account unless another is named. */
export function importing(workspace: () => Workspace, account: () => Account) {
  const work = () => {
    const world = workspace()
    const log = pino({ level: 'silent' })
    return runImports({ db: world.api.db, rpc: openRpc('http://127.0.0.1:9'), settings: world.api.settings, log })
  }
  const newSpace = async () => {
    const world = workspace()
    return String((await world.call('POST', '/spaces', world.ada, { name: 'Imported' })).body.id)
  }
  const begin = async (archive: Uint8Array, space: string, by = account()) => {
    const world = workspace()
    const attached = await world.attach(world.page, Buffer.from(archive), 'Handbook.zip')
    const reply = await world.call('POST', '/imports', by, { attachment: attached.short_id, space })
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
    return reply.body as unknown as Import
  }
  const read = async ({ id }: Pick<Import, 'id'>) =>
    (await workspace().call('GET', `/imports/${id}`)).body as unknown as Import
  const importAll = async (archive: Uint8Array, space: string, by = account()) => {
    const begun = await begin(archive, space, by)
    await work()
    return read(begun)
  }
  /** The pages of a space by title, with their texts. */
  const pagesIn = async (space: string) => {
    const { items } = (await workspace().call('GET', `/pages?space=${space}&limit=200`)).body as unknown as {
      items: Page[]
    }
    const pages = new Map<string, Page>()
    for (const { id } of items) {
      const page = (await workspace().call('GET', `/pages/${id}`)).body as unknown as Page
      pages.set(page.title, page)
    }
    return pages
  }
  const filesOf = async (page: Page | undefined) => {
    const { items } = (await workspace().call('GET', `/attachments?page=${page?.id}`)).body as unknown as {
      items: { filename: string }[]
    }
    return items.map(({ filename }) => filename).sort()
  }
  return { work, newSpace, begin, read, importAll, pagesIn, filesOf }
}
