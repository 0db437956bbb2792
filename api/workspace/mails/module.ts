import type { Module, Perishable } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'
import { CONFIRMATION_SECONDS } from './internal/confirm.ts'
import { mailProblems } from './problems.ts'

const personalData: PersonalData = {
  tables: {
    // The address is stored as an HMAC: for a day it counts the mails to it, and erasing the account must not
    // reset that count.
    'market.email_confirmations': {
      plain: [
        ...['id', 'human_id', 'address_hash', 'token_hash', 'attempts', 'next_attempt_at', 'created_at', 'expires_at'],
      ],
    },
  },
}

const perishable: readonly Perishable[] = [
  // It counts mails for a limit: its rows are kept for as long as they count.
  { table: 'market.email_confirmations', key: ['id'], end: 'created_at', keptSeconds: () => CONFIRMATION_SECONDS },
]

/** What the service knows through this folder. */
export const mails = {
  problems: mailProblems,
  personalData,
  perishable,
  schema: ['api/workspace/mails/schema.sql'],
} satisfies Module
