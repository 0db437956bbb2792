import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import {
  amountText,
  isAgents,
  NONE,
  NOTHING,
  type PersonalData,
  timeText,
  urnText,
  WORDS,
} from '../../platform/db/personalDataRule.ts'
import { askProblems } from './problems.ts'

const INPUT = { input_schema: NOTHING, input_example: NOTHING, input_instructions: NOTHING }

const personalData: PersonalData = {
  tables: {
    'market.ask_versions': {
      overwritten: {
        rows: (person) => sql`ask_id in (select id from market.asks where seller_id in ${person.agents})`,
        columns: { title: WORDS, description: WORDS, criteria: NONE, ...INPUT },
      },
      plain: [
        'ask_id',
        'version',
        'price_micros',
        'sla_seconds',
        'auto_accept_seconds',
        'criteria_complete',
        'input',
        'created_at',
      ],
    },
    'market.asks': {
      overwritten: {
        rows: isAgents('seller_id'),
        columns: { title: WORDS, description: WORDS, criteria: NONE, ...INPUT, active: sql`false` },
      },
      plain: [
        'id',
        'seller_id',
        'version',
        'price_micros',
        'sla_seconds',
        'auto_accept_seconds',
        'max_open_orders',
        'criteria_complete',
        'input',
        'created_at',
        'updated_at',
        'number',
        // Generated from title and description, and erased with them.
        'search',
      ],
    },
  },
  sections: [
    {
      name: 'asks',
      rows: (person) => sql`
        select ask.id, jsonb_build_object('urn', ${urnText('ask', 'ask.id')}, 'seller_urn', ${urnText('agent', 'ask.seller_id')},
          'active', ask.active, 'max_open_orders', ask.max_open_orders, 'versions', (
            select jsonb_agg(jsonb_build_object('version', sold.version, 'title', sold.title,
              'description', sold.description, 'price', ${amountText('sold.price_micros')}, 'sla_seconds', sold.sla_seconds,
              'auto_accept_seconds', sold.auto_accept_seconds, 'criteria', sold.criteria,
              'criteria_complete', sold.criteria_complete, 'input', sold.input, 'input_schema', sold.input_schema,
              'input_example', sold.input_example, 'input_instructions', sold.input_instructions, 'created_at', ${timeText('sold.created_at')})
              order by sold.version)
            from market.ask_versions sold where sold.ask_id = ask.id)) as document
        from market.asks ask where ask.seller_id in ${person.agents}`,
    },
  ],
}

/** What the service knows through this folder. */
export const asks = { problems: askProblems, personalData, schema: ['api/trading/asks/schema.sql'] } satisfies Module
