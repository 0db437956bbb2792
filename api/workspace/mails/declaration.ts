import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const mailPersonalData: PersonalData = {
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
