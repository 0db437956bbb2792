import type { Tx } from '../../platform/db/pool.ts'
import { invalid, type RawInput } from '../../platform/http/serve/input.ts'
import { versionTag } from '../../platform/http/serve/versionTags.ts'
import type { Reader } from '../membership.ts'
import { serveMember } from '../serveMember.ts'
import { findSpace } from '../spaces/find.ts'
import { createPage } from './create.ts'
import {
  findEntry,
  findPage,
  listEntryRows,
  listPageRows,
  type PageRow,
  toEntry,
  toListedPage,
  toPage,
} from './find.ts'
import { editPage } from './internal/edit.ts'
import { createEntry, deleteEntry, editEntry } from './internal/entries.ts'
import { movePage } from './internal/move.ts'
import { endPresence, setPresence } from './internal/presence.ts'
import { publishPage } from './internal/publish.ts'
import { restorePage, trashPage } from './internal/trash.ts'
import { diffVersions, findVersion, listVersionRows, restorePageVersion, toVersionItem } from './internal/versions.ts'
import * as routes from './routes.ts'

async function tagged(tx: Tx, reader: Reader, page: PageRow) {
  return { status: 200 as const, body: await toPage(tx, reader, page), headers: { ETag: versionTag(page.version) } }
}

/** The page that a request names, and the version that the page must be at. */
function namedIn({ ref }: { ref: string }, { header }: Pick<RawInput, 'header'>) {
  return { ref, ifMatch: header('If-Match') }
}

export const pageHandlers = [
  serveMember(routes.createPage, async (tx, { member }, { body }) => ({
    ...(await tagged(tx, member, await createPage(tx, member, body))),
    status: 201 as const,
  })),

  serveMember(routes.listPages, async (tx, { member }, { query, list }) => {
    if (query.parent !== undefined && query.top !== undefined) throw invalid('top', 'goes without parent')
    const filter = {
      spaceId: query.space === undefined ? undefined : (await findSpace(tx, member, query.space)).id,
      parentId: query.top ? null : query.parent && (await findPage(tx, member, query.parent)).id,
      isTrash: query.trash ?? false,
    }
    return { status: 200, body: await list.read((page) => listPageRows(tx, member, filter, page), toListedPage) }
  }),

  serveMember(routes.getPage, async (tx, { member }, { params }) =>
    tagged(tx, member, await findPage(tx, member, params.ref)),
  ),

  serveMember(routes.editPage, async (tx, { member }, { params, body, raw }) => {
    const { title, text, update_references: updateReferences } = body
    const edit = { title, text, updateReferences, ifMatch: raw.header('If-Match') }
    return tagged(tx, member, await editPage(tx, member, params.ref, edit))
  }),

  serveMember(routes.trashPage, async (tx, { member, settings }, { params, raw }) =>
    tagged(tx, member, await trashPage(tx, settings.rules, member, namedIn(params, raw))),
  ),

  serveMember(routes.restorePage, async (tx, { member }, { params }) =>
    tagged(tx, member, await restorePage(tx, member, params.ref)),
  ),

  serveMember(routes.movePage, async (tx, { member }, { params, body, raw }) =>
    tagged(tx, member, await movePage(tx, member, namedIn(params, raw), body)),
  ),

  serveMember(routes.publishPage, async (tx, { member }, { params, raw }) =>
    tagged(tx, member, await publishPage(tx, member, namedIn(params, raw))),
  ),

  serveMember(routes.listPageVersions, async (tx, { member }, { params, list }) => {
    const { id: pageId } = await findPage(tx, member, params.ref)
    return {
      status: 200,
      body: await list.read(
        (page) => listVersionRows(tx, pageId, page),
        (row) => toVersionItem(row),
      ),
    }
  }),

  serveMember(routes.getPageVersion, async (tx, { member }, { params }) => {
    const { id } = await findPage(tx, member, params.ref)
    const version = await findVersion(tx, id, params.number)
    return { status: 200, body: { ...toVersionItem(version), text: version.text } }
  }),

  serveMember(routes.diffPageVersions, async (tx, { member }, { params, query }) => {
    const { id } = await findPage(tx, member, params.ref)
    return { status: 200, body: await diffVersions(tx, id, params.number, query.from) }
  }),

  serveMember(routes.restorePageVersion, async (tx, { member }, { params, raw }) =>
    tagged(tx, member, await restorePageVersion(tx, member, { ...params, ...namedIn(params, raw) })),
  ),

  serveMember(routes.setPagePresence, async (tx, { member, settings }, { params, body }) => {
    const page = await findPage(tx, member, params.ref)
    const said = { isEditing: body.is_editing, seconds: settings.rules.pagePresenceSeconds }
    const { expiresAt, others } = await setPresence(tx, member, page, said)
    return { status: 200, body: { expires_at: expiresAt.toISOString(), others } }
  }),

  serveMember(routes.endPagePresence, async (tx, { member }, { params }) => {
    await endPresence(tx, member, await findPage(tx, member, params.ref))
    return { status: 204, body: undefined }
  }),

  serveMember(routes.createEntry, async (tx, { member }, { params, body }) => ({
    status: 201,
    body: toEntry(await createEntry(tx, member, params.ref, body.text)),
  })),

  serveMember(routes.listEntries, async (tx, { member }, { params, list }) => {
    const { id: pageId } = await findPage(tx, member, params.ref)
    return { status: 200, body: await list.read((page) => listEntryRows(tx, pageId, page), toEntry) }
  }),

  serveMember(routes.getEntry, async (tx, { member }, { params }) => ({
    status: 200,
    body: toEntry(await findEntry(tx, member, params.ref)),
  })),

  serveMember(routes.editEntry, async (tx, { member }, { params, body }) => ({
    status: 200,
    body: toEntry(await editEntry(tx, member, params.ref, body.text)),
  })),

  serveMember(routes.deleteEntry, async (tx, { member }, { params }) => {
    await deleteEntry(tx, member, params.ref)
    return { status: 204, body: undefined }
  }),
]
