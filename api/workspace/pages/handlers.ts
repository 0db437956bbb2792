import { readPage } from '../../platform/http/pagination.ts'
import { serve } from '../../platform/http/serve.ts'
import { requireMember } from '../membership.ts'
import { findSpace } from '../spaces/find.ts'
import { createEntry, createPage } from './create.ts'
import { editPage } from './edit.ts'
import { findPage, listEntryRows, listPageRows, lockPage, toEntry, toPage, toPageItem } from './find.ts'
import * as routes from './routes.ts'

export const pageHandlers = [
  serve(routes.createPage, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 201, body: await toPage(tx, await createPage(tx, member, body)) }
  }),

  serve(routes.listPages, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const spaceId = query.space === undefined ? undefined : (await findSpace(tx, member, query.space)).id
    const bound = ['pages', actor.humanId, member.orgId, spaceId ?? '']
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) =>
      listPageRows(tx, member, spaceId, page),
    )
    return { status: 200, body: { items: rows.map(toPageItem), next_cursor } }
  }),

  serve(routes.getPage, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: await toPage(tx, await findPage(tx, member, params.ref)) }
  }),

  serve(routes.editPage, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: await toPage(tx, await editPage(tx, member, params.ref, body)) }
  }),

  serve(routes.createEntry, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    const page = await lockPage(tx, member, params.ref)
    return { status: 201, body: toEntry(await createEntry(tx, member, page, body.text)) }
  }),

  serve(routes.listEntries, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const { id: pageId } = await findPage(tx, member, params.ref)
    const bound = ['entries', actor.humanId, pageId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listEntryRows(tx, pageId, page))
    return { status: 200, body: { items: rows.map(toEntry), next_cursor } }
  }),
]
