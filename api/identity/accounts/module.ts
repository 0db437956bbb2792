import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import {
  ERASED_DOMAIN,
  isOwn,
  NOTHING,
  type PersonalData,
  timeText,
  urnText,
  WORDS,
} from '../../platform/db/personalDataRule.ts'
import { accountProblems } from './problems.ts'

const personalData: PersonalData = {
  tables: {
    'market.humans': {
      overwritten: {
        rows: isOwn('id'),
        columns: { display_name: WORDS, email: sql`id || ${`@${ERASED_DOMAIN}`}::text`, confirmed_email: NOTHING },
      },
      plain: ['id', 'role', 'is_reviewer', 'created_by', 'person_id', 'created_at', 'erased_at'],
    },
    'market.agents': {
      overwritten: {
        rows: isOwn('owner_id'),
        columns: {
          display_name: WORDS,
          description: sql`''`,
          deactivated_at: sql`coalesce(deactivated_at, market.now())`,
        },
      },
      plain: ['id', 'owner_id', 'created_at', 'reputation_permille'],
    },
  },
  sections: [
    {
      name: 'account',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('human', 'id')}, 'display_name', display_name, 'email', email,
          'confirmed_email', confirmed_email,
          'role', role, 'created_at', ${timeText('created_at')}) as document
        from market.humans where id = ${person.id}`,
    },
    {
      name: 'agents',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('agent', 'id')}, 'display_name', display_name,
          'description', description, 'created_at', ${timeText('created_at')}) as document
        from market.agents where owner_id = ${person.id}`,
    },
  ],
}

const rules = {
  /** How many active agents a person can have, and how many orgs a person can own. */
  maxAgents: 20,
  maxOwnedOrgs: 10,
}

/** What the service knows through this folder. */
export const accounts = {
  problems: accountProblems,
  rules,
  personalData,
  schema: ['api/identity/accounts/schema.sql'],
} satisfies Module
