import { sql } from 'kysely'
import type { Module, Perishable } from '../../module.ts'
import { isOfLoneOrg, isOwn, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { sees } from '../spaces/find.ts'
import { pageProblems } from './problems.ts'

export const pageEvents = defineOrgEvents({
  'page.created': 'A page was created.',
  'page.updated': 'The title, the text or the entries of a page changed.',
  'page.moved': 'A page, with the pages below it, moved in the tree or to another space.',
  'page.deleted': 'A page, or one above it, was moved to the trash.',
  'page.restored': 'A page came out of the trash.',
  'page.purged': 'A member removed a page from the trash for good.',
  'page.published': 'A version of a page was published.',
})

export const pageNotices = defineNotices({
  'page.mentioned': { title: 'You were mentioned on a page', role: 'mentioned' },
})

const personalData: PersonalData = {
  tables: {
    'market.entries': {
      deleted: { rows: isOfLoneOrg, columns: ['text'] },
      plain: ['id', 'short_id', 'org_id', 'page_id', 'created_by', 'created_at', 'updated_at'],
    },
    'market.page_versions': {
      deleted: { rows: isOfLoneOrg, columns: ['title', 'text'] },
      plain: ['page_id', 'number', 'org_id', 'created_by', 'created_at'],
    },
    'market.page_aliases': {
      deleted: { rows: isOfLoneOrg, columns: ['title'] },
      plain: ['page_id', 'org_id', 'until'],
    },
    'market.page_presence': {
      deleted: { rows: isOwn('human_id'), columns: ['account_id', 'human_id'] },
      plain: ['page_id', 'is_editing', 'expires_at'],
    },
    'market.page_links': { deleted: { rows: isOfLoneOrg, columns: ['name'] }, plain: ['page_id', 'org_id'] },
    'market.pages': {
      deleted: { rows: isOfLoneOrg, columns: ['title', 'text'] },
      plain: [
        ...['id', 'short_id', 'org_id', 'space_id', 'parent_id', 'version', 'published_version', 'published_at'],
        ...['created_by', 'created_at', 'updated_at', 'trashed_at', 'purge_at', 'trashed_with', 'import_id'],
      ],
    },
  },
  sections: [
    {
      // The text that they wrote, not the text of a page after others edited it.
      name: 'page_versions',
      rows: (person) => sql`
        select said.page_id || ':' || lpad(said.number::text, 10, '0') as id, jsonb_build_object('page_id', said.page_id,
          'org_urn', ${urnText('org', 'said.org_id')}, 'version', said.number, 'title', said.title, 'text', said.text,
          'created_by', said.created_by, 'created_at', ${timeText('said.created_at')}) as document
        from market.org_members own join market.page_versions said on said.org_id = own.org_id
        join market.pages page on page.id = said.page_id
        where own.human_id = ${person.id} and said.created_by in ${person.authors} and ${sees('page.space_id')}`,
    },
    {
      name: 'page_entries',
      rows: (person) => sql`
        select entry.id, jsonb_build_object('id', entry.id, 'page_id', entry.page_id,
          'org_urn', ${urnText('org', 'entry.org_id')}, 'text', entry.text, 'created_by', entry.created_by,
          'created_at', ${timeText('entry.created_at')}, 'updated_at', ${timeText('entry.updated_at')}) as document
        from market.org_members own join market.entries entry on entry.org_id = own.org_id
        join market.pages page on page.id = entry.page_id
        where own.human_id = ${person.id} and entry.created_by in ${person.authors} and ${sees('page.space_id')}`,
    },
  ],
}

const rules = {
  /** How long somebody is named as having a page open after they last said so. */
  pagePresenceSeconds: 20,
}

const perishable: readonly Perishable[] = [
  { table: 'market.page_presence', key: ['page_id', 'account_id'], end: 'expires_at' },
]

/** What the service knows through this folder. */
export const pages = {
  events: pageEvents,
  notices: pageNotices,
  problems: pageProblems,
  rules,
  personalData,
  perishable,
  schema: ['api/workspace/pages/schema.sql'],
} satisfies Module
