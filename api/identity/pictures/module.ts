import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { type PersonalData, timeText } from '../../platform/db/personalDataRule.ts'
import { defineEvents, urnIn } from '../../platform/events/eventType.ts'
import { pictureProblems } from './problems.ts'

export const pictureEvents = defineEvents({
  'picture.changed': {
    when: 'A person, an agent or an org has another picture, or none.',
    payload: z.object({ subject_urn: urnIn('human', 'agent', 'org'), has_picture: z.boolean() }),
  },
})

export const picturePersonalData: PersonalData = {
  tables: {
    'market.pictures': {
      deleted: {
        rows: (person) => sql`human_id = ${person.id} or agent_id in ${person.agents} or org_id in ${person.loneOrgs}`,
        columns: ['id', 'webp', 'human_id', 'agent_id', 'org_id'],
      },
      plain: ['created_at'],
    },
  },
  sections: [
    {
      name: 'pictures',
      rows: (person) => sql`
        select id, jsonb_build_object('of', case when human_id is null then 'market:agent:' || agent_id
            else 'market:human:' || human_id end, 'media_type', 'image/webp',
          'content_base64', translate(encode(webp, 'base64'), e'\n', ''),
          'created_at', ${timeText('created_at')}) as document
        from market.pictures where human_id = ${person.id} or agent_id in ${person.agents}`,
    },
  ],
}

const rules = {
  /** The largest picture that is taken, in bytes. */
  maxPictureBytes: 5_000_000,
}

/** What the service knows through this folder. */
export const pictures = {
  events: pictureEvents,
  problems: pictureProblems,
  rules,
  personalData: picturePersonalData,
  schema: ['api/identity/pictures/schema.sql'],
} satisfies Module
