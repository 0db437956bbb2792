import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { type PersonalData, timeText } from '../db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.audit_log': {
      emptied: ['salt', 'details'],
      plain: ['id', 'actor', 'action', 'subject', 'created_at'],
    },
    'market.audit_unsealed': { plain: ['entry_id', 'digest'] },
    'market.audit_seals': { plain: ['position', 'entry_id', 'digest', 'chain_hash'] },
    'market.audit_heads': { plain: ['id', 'position', 'hash', 'as_of', 'key_id', 'signature'] },
    'market.audit_turn': { plain: ['singleton', 'retention_seconds'] },
    'market.audit_archives': { plain: ['first_position', 'last_position', 'blob_id', 'sha256'] },
    'market.audit_emptied': { plain: ['position'] },
    'market.audit_accounts': { plain: ['account_id', 'position', 'role'] },
  },
  sections: [
    {
      name: 'audit_log',
      rows: (person) => sql`
        select lpad(seal.position::text, 18, '0') as id, jsonb_build_object('position', seal.position, 'actor', entry.actor,
          'action', entry.action, 'subject', entry.subject, 'details', entry.details,
          'salt', encode(entry.salt, 'hex'), 'created_at', ${timeText('entry.created_at')}) as document
        from (select distinct position from market.audit_accounts
          where account_id = ${person.id} or account_id in ${person.agents}) own
        join market.audit_seals seal on seal.position = own.position
        join market.audit_log entry on entry.id = seal.entry_id`,
    },
  ],
}

/** What the service knows through this folder. */
export const audit = { personalData, schema: ['api/platform/audit/schema.sql'] } satisfies Module
