import { sql } from 'kysely'
import { isOwn, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'

export const walletPersonalData: PersonalData = {
  tables: {
    'market.wallet_challenges': {
      deleted: { rows: isOwn('owner_id'), columns: ['address', 'message'] },
      plain: ['id', 'account_id', 'owner_id', 'expires_at', 'used_at', 'created_at'],
    },
    'market.wallets': {
      emptied: ['address', 'message', 'signature'],
      plain: ['id', 'account_id', 'owner_id', 'payout_from', 'verified_at', 'doubtful_since'],
    },
    'market.wallet_owners': { emptied: ['address', 'owner_id'] },
  },
  sections: [
    {
      name: 'wallets',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('wallet', 'id')}, 'address', address, 'payout_from', ${timeText('payout_from')},
          'message', message, 'signature', signature, 'verified_at', ${timeText('verified_at')}) as document
        from market.wallets where owner_id = ${person.id}`,
    },
  ],
}
