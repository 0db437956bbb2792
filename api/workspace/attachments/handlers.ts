import { invalid } from '../../platform/http/serve/input.ts'
import { findEntry, findPage } from '../pages/find.ts'
import { serveMember, serveReader } from '../serveMember.ts'
import { attachFile } from './attach.ts'
import { findAttachment, listAttachmentRows, toAttachment, toSeenAttachment } from './find.ts'
import { deleteVersion, purgeAttachment } from './internal/deleteForGood.ts'
import { emptyTrash } from './internal/emptyTrash.ts'
import { discardStored, receiveContent, receiveForm } from './internal/receive.ts'
import { restoreAttachment, trashAttachment } from './internal/trash.ts'
import * as routes from './routes.ts'
import { readUsage } from './storage.ts'
import { updateAttachment } from './update.ts'
import { listVersionRows, replaceContent, restoreVersion, toVersion } from './versions.ts'

const none = { status: 204, body: undefined } as const

export const attachmentHandlers = [
  serveMember(routes.uploadAttachment, {
    prepare: receiveForm,
    fingerprint: ({ placement, stored }) => JSON.stringify([placement, stored.sha256]),
    discard: (services, { stored }) => discardStored(services, stored),
    run: async (tx, { member, settings }, _input, { placement, stored }) => {
      return {
        status: 201,
        body: toAttachment(member, await attachFile(tx, settings.rules, member, placement, stored)),
      }
    },
  }),

  serveMember(routes.listAttachments, async (tx, { member }, { query, list }) => {
    if (query.name !== undefined && query.page === undefined) throw invalid('name', 'needs page')
    const filter = {
      pageId: query.page === undefined ? undefined : (await findPage(tx, member, query.page)).id,
      entryId: query.entry === undefined ? undefined : (await findEntry(tx, member, query.entry)).id,
      filename: query.name?.normalize('NFC'),
      isTrash: query.trash ?? false,
    }
    const page = await list.read(
      (from) => listAttachmentRows(tx, member, filter, from),
      (row) => toAttachment(member, row),
    )
    return { status: 200, body: page }
  }),

  serveReader(routes.getAttachment, async (tx, { reader }, { params }) => ({
    status: 200,
    body: toSeenAttachment(reader, await findAttachment(tx, reader, params.ref)),
  })),

  serveMember(routes.updateAttachment, async (tx, { member }, { params, body }) => {
    const { update_references: follow, ...place } = body
    const change = { ...place, updateReferences: follow ?? true }
    return { status: 200, body: toAttachment(member, await updateAttachment(tx, member, params.ref, change)) }
  }),

  serveMember(routes.trashAttachment, async (tx, { member, settings }, { params }) => ({
    status: 200,
    body: toAttachment(member, await trashAttachment(tx, settings.rules, member, params.ref)),
  })),

  serveMember(routes.restoreAttachment, async (tx, { member }, { params }) => ({
    status: 200,
    body: toAttachment(member, await restoreAttachment(tx, member, params.ref)),
  })),

  serveMember(routes.purgeAttachment, async (tx, { member }, { params }) => {
    await purgeAttachment(tx, member, params.ref)
    return none
  }),

  serveMember(routes.replaceContent, {
    prepare: receiveContent,
    fingerprint: ({ sha256 }) => String(sha256),
    discard: discardStored,
    run: async (tx, { member, settings }, { params }, stored) => {
      return {
        status: 200,
        body: toAttachment(member, await replaceContent(tx, settings.rules, member, params.ref, stored)),
      }
    },
  }),

  serveMember(routes.listVersions, async (tx, { member }, { params }) => {
    const attachment = await findAttachment(tx, member, params.ref)
    const versions = await listVersionRows(tx, attachment.id)
    return { status: 200, body: versions.map((row) => toVersion(member, attachment, row)) }
  }),

  serveMember(routes.restoreVersion, async (tx, { member }, { params }) => ({
    status: 200,
    body: toAttachment(member, await restoreVersion(tx, member, params.ref, params.number)),
  })),

  serveMember(routes.deleteVersion, async (tx, { member }, { params }) => {
    await deleteVersion(tx, member, params.ref, params.number)
    return none
  }),

  serveMember(routes.emptyTrash, async (tx, { member }) => {
    const { attachments, pages, hasMore } = await emptyTrash(tx, member)
    return { status: 200, body: { attachments, pages, has_more: hasMore } }
  }),

  serveMember(routes.getUsage, async (tx, { member: { orgId }, settings }) => {
    const { usedBytes, reservedBytes } = await readUsage(tx, orgId)
    const { maxOrgBytes, trashDays } = settings.rules
    const used = { used_bytes: Number(usedBytes), reserved_bytes: Number(reservedBytes) }
    return { status: 200, body: { ...used, quota_bytes: maxOrgBytes, trash_days: trashDays } }
  }),
]
