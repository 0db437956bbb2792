import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { isOwn, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineEvents, timeIn, urnIn } from '../../platform/events/eventType.ts'
import { walletProblems } from './problems.ts'

const MINUTE = 60
const DAY = 86_400

const aboutWallet = z.object({ wallet_urn: urnIn('wallet') })

export const walletEvents = defineEvents({
  'payout.wallet_chosen': {
    when: 'A payout wallet was chosen; it is used from payout_from on.',
    payload: aboutWallet.extend({ account_urn: urnIn('human', 'agent'), payout_from: timeIn.nullable() }),
    tells: { title: 'A payout wallet was chosen for your account', isUrgent: true },
  },
  // Emitted by `market restored`.
  'payout.wallet_doubted': {
    when: 'After a restore from a backup the owner must confirm the payout wallet.',
    payload: aboutWallet,
  },
})

const personalData: PersonalData = {
  tables: {
    'market.wallet_challenges': {
      deleted: { rows: isOwn('owner_id'), columns: ['address', 'message'] },
      plain: ['id', 'account_id', 'owner_id', 'expires_at', 'used_at', 'created_at'],
    },
    'market.wallets': {
      emptied: ['address', 'message', 'signature', 'handover'],
      plain: ['id', 'account_id', 'owner_id', 'payout_from', 'verified_at', 'doubtful_since'],
    },
    'market.wallet_owners': { emptied: ['address', 'owner_id'] },
  },
  sections: [
    {
      name: 'wallets',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('wallet', 'id')}, 'address', address, 'payout_from', ${timeText('payout_from')},
          'message', message, 'signature', signature, 'handover', handover, 'verified_at', ${timeText('verified_at')}) as document
        from market.wallets where owner_id = ${person.id}`,
    },
  ],
}

const rules = {
  /**
   * How long an old payout wallet stays in use after its replacement was chosen, so that the owner can
   * object.
   */
  payoutWalletDelaySeconds: 2 * DAY,
  /** How long the challenge of a wallet can be answered. */
  walletChallengeSeconds: 10 * MINUTE,
}

/** What the service knows through this folder. */
export const wallets = {
  events: walletEvents,
  problems: walletProblems,
  rules,
  personalData,
  schema: ['api/identity/wallets/schema.sql'],
} satisfies Module
