import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { sees } from '../spaces/find.ts'
import { attachmentProblems } from './problems.ts'

export const attachmentEvents = defineOrgEvents({
  'attachment.created': 'A file was attached to a page.',
  'attachment.updated':
    'An attachment was renamed, moved to another page or entry, has new bytes or their hash, or lost an old version for good.',
  'attachment.deleted': 'An attachment was moved to the trash.',
  'attachment.restored': 'An attachment came out of the trash.',
  'attachment.purged': 'A member removed an attachment from the trash for good.',
})

export const attachmentNotices = defineNotices({
  'attachment.created': { title: 'A file was attached to a page of yours', role: 'author' },
  'attachment.quarantined': { title: 'A file was found infected, and is not handed out', role: 'author' },
})

const personalData: PersonalData = {
  tables: {
    // The pages and attachments of an org belong to the org, and are deleted with it. The ids of their
    // authors stay, and lead to nobody.
    'market.attachment_versions': {
      plain: ['attachment_id', 'number', 'file_id', 'media_type', 'created_by', 'created_at'],
    },
    'market.attachments': {
      deleted: { rows: isOfLoneOrg, columns: ['filename'] },
      plain: [
        ...['id', 'short_id', 'org_id', 'page_id', 'entry_id', 'version', 'created_by', 'created_at', 'updated_at'],
        ...['trashed_at', 'purge_at', 'import_id'],
      ],
    },
    'market.files': {
      deleted: { rows: isOfLoneOrg, columns: ['sha256', 'size_bytes'] },
      plain: [
        ...['id', 'org_id', 'encoding', 'created_at', 'text_state', 'preview_state', 'attempts'],
        ...['scan_state', 'signature', 'scanned_at', 'scans'],
      ],
    },
    'market.storage_usage': { plain: ['org_id', 'used_bytes', 'reserved_bytes'] },
  },
  sections: [
    {
      // Each file once, however often it was attached. Files that the virus scanner found infected are left
      // out, and files whose hash the worker is yet to take: the bytes of such a file may be removed because
      // another file has them.
      name: 'attachments',
      hasBlobs: true,
      rows: (person) => sql`
        select file.id, jsonb_build_object('org_urn', ${urnText('org', 'file.org_id')}, 'sha256', file.sha256,
          'size_bytes', file.size_bytes, 'attached', (
            select jsonb_agg(jsonb_build_object('attachment_id', version.attachment_id, 'version', version.number,
              'filename', attachment.filename, 'media_type', version.media_type, 'created_by', version.created_by,
              'created_at', ${timeText('version.created_at')}) order by version.created_at)
            from market.attachment_versions version join market.attachments attachment on attachment.id = version.attachment_id
            join market.pages page on page.id = attachment.page_id
            where version.file_id = file.id and version.created_by in ${person.authors}
              and ${sees('page.space_id')})) as document
        from market.org_members own join market.files file on file.org_id = own.org_id
        where own.human_id = ${person.id} and file.sha256 is not null and file.scan_state not in ('infected', 'deleted') and exists (
          select from market.attachment_versions version
          join market.attachments attachment on attachment.id = version.attachment_id
          join market.pages page on page.id = attachment.page_id
          where version.file_id = file.id and version.created_by in ${person.authors} and ${sees('page.space_id')})`,
    },
  ],
}

const rules = {
  /** The largest file that one request may upload, in bytes. */
  maxFormUploadBytes: 32 * 1_048_576,
  /** The quota for all files of an org, in bytes. */
  maxOrgBytes: 20 * 1_073_741_824,
  /** How many days a trashed page or attachment can be restored. */
  trashDays: 30,
}

/** What the service knows through this folder. */
export const attachments = {
  events: attachmentEvents,
  notices: attachmentNotices,
  problems: attachmentProblems,
  rules,
  personalData,
  schema: ['api/workspace/attachments/schema.sql'],
} satisfies Module
