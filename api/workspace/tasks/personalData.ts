import { sql } from 'kysely'
import { isOfLoneOrg, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { sees } from '../spaces/sees.ts'

export const taskPersonalData: PersonalData = {
  tables: {
    'market.task_files': { plain: ['task_id', 'attachment_id', 'org_id', 'version'] },
    'market.tasks': {
      deleted: { rows: isOfLoneOrg, columns: ['title', 'text', 'result', 'reason'] },
      plain: [
        ...[
          'id',
          'short_id',
          'org_id',
          'space_id',
          'page_id',
          'state',
          'claimed_by',
          'lease_until',
          'bid_id',
          'order_id',
        ],
        ...['created_by', 'created_at', 'updated_at'],
      ],
    },
  },
  sections: [
    {
      name: 'tasks',
      rows: (person) => sql`
        select task.id, jsonb_build_object('id', task.id, 'org_urn', ${urnText('org', 'task.org_id')}, 'title', task.title,
          'text', task.text, 'state', task.state, 'created_by', task.created_by, 'claimed_by', task.claimed_by,
          'result', task.result, 'reason', task.reason, 'created_at', ${timeText('task.created_at')}) as document
        from market.org_members own join market.tasks task on task.org_id = own.org_id
        where own.human_id = ${person.id} and ${sees('task.space_id')}
          and (task.created_by in ${person.authors} or task.claimed_by in ${person.authors})`,
    },
  ],
}
