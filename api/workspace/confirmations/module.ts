import { sql } from 'kysely'
import type { Module, Perishable } from '../../module.ts'
import { isOwn, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { confirmationProblems } from './problems.ts'

export const confirmationNotices = defineNotices({
  'confirmation.requested': { title: 'An agent of yours asks you', role: 'approver' },
})

const personalData: PersonalData = {
  tables: {
    'market.confirmations': {
      deleted: { rows: isOwn('human_id'), columns: ['question', 'answer'] },
      plain: [
        ...['id', 'org_id', 'agent_id', 'human_id', 'created_at', 'expires_at', 'answered_at'],
        ...['secret_id', 'used_at'],
      ],
    },
  },
  sections: [
    {
      name: 'confirmations',
      rows: (person) => sql`
        select id, jsonb_build_object('id', id, 'org_urn', ${urnText('org', 'org_id')}, 'agent_urn', ${urnText('agent', 'agent_id')},
          'question', question, 'answer', answer, 'created_at', ${timeText('created_at')}, 'expires_at', ${timeText('expires_at')},
          'answered_at', ${timeText('answered_at')}) as document
        from market.confirmations where human_id = ${person.id}`,
    },
  ],
}

const perishable: readonly Perishable[] = [
  {
    table: 'market.confirmations',
    key: ['id'],
    end: 'expires_at',
    keptSeconds: ({ eventRetentionSeconds }) => eventRetentionSeconds,
  },
]

/** What the service knows through this folder. */
export const confirmations = {
  notices: confirmationNotices,
  problems: confirmationProblems,
  personalData,
  perishable,
  schema: ['api/workspace/confirmations/schema.sql'],
} satisfies Module
