import { sql } from 'kysely'
import type { Module, Perishable } from '../../module.ts'
import { isOwn, NOTHING, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { orgProblems } from './problems.ts'

const DAY = 86_400

const personalData: PersonalData = {
  tables: {
    'market.org_agents': { plain: ['org_id', 'agent_id', 'state', 'changed_by', 'added_at', 'changed_at'] },
    'market.email_invitations': {
      overwritten: {
        rows: (person) => sql`invited_by = ${person.id} or org_id in ${person.loneOrgs}`,
        columns: {
          sealed_address: NOTHING,
          token_hash: NOTHING,
          next_attempt_at: NOTHING,
          ended_at: sql`coalesce(ended_at, market.now())`,
        },
      },
      // The address is stored as an HMAC beside: it counts the mails to it, and erasing the inviter must not
      // reset that count.
      plain: [
        'id',
        'org_id',
        'address_hash',
        'role',
        'invited_by',
        'attempts',
        'created_at',
        'expires_at',
        'kept_until',
      ],
    },
    'market.orgs': {
      deleted: { rows: (person) => sql`id in ${person.loneOrgs}`, columns: ['slug', 'display_name'] },
      plain: ['id', 'created_at', 'agents_stopped_at', 'agents_ask_for_secrets'],
    },
    'market.org_invitations': {
      deleted: {
        rows: (person) => sql`human_id = ${person.id} or invited_by = ${person.id}`,
        columns: ['human_id', 'invited_by'],
      },
      plain: ['org_id', 'role', 'created_at', 'expires_at'],
    },
    'market.invitation_refusals': { plain: ['address_hash', 'refused_at'] },
    'market.org_members': {
      deleted: { rows: isOwn('human_id'), columns: ['human_id'] },
      plain: ['org_id', 'role', 'joined_at'],
    },
  },
  sections: [
    {
      name: 'orgs',
      rows: (person) => sql`
        select org.id, jsonb_build_object('urn', ${urnText('org', 'org.id')}, 'slug', org.slug,
          'display_name', org.display_name, 'role', own.role, 'joined_at', ${timeText('own.joined_at')}) as document
        from market.org_members own join market.orgs org on org.id = own.org_id where own.human_id = ${person.id}`,
    },
  ],
}

const rules = {
  /** How long an invitation to an org stays open. */
  invitationSeconds: 14 * DAY,
}

const perishable: readonly Perishable[] = [{ table: 'market.email_invitations', key: ['id'], end: 'kept_until' }]

/** What the service knows through this folder. */
export const orgs = {
  problems: orgProblems,
  rules,
  personalData,
  perishable,
  schema: ['api/identity/orgs/schema.sql'],
} satisfies Module
