import type { Module } from './module.ts'
import { ON_CHAIN, type PersonalData } from './platform/db/personalDataRule.ts'

// The facilitator imports nothing from the api, so the api declares the personal data in these tables.
const personalData: PersonalData = {
  tables: {
    'facilitator.heartbeat': { plain: ['singleton', 'beat_at'] },
    'facilitator.transactions': {
      kept: { because: ON_CHAIN, columns: ['hash', 'raw'] },
      plain: ['intent_id', 'signer', 'nonce', 'created_at', 'valid_before', 'owner_id', 'charged_wei'],
    },
    'facilitator.authorizations': {
      kept: { because: ON_CHAIN, columns: ['nonce', 'recipient', 'signature'] },
      plain: ['number', 'previous', 'leg', 'valid_before', 'amount_micros', 'hash', 'seal'],
    },
    'facilitator.wallet_sights': {
      kept: { because: ON_CHAIN, columns: ['wallet', 'from_wallet'] },
      plain: ['id', 'owner_id', 'seen_at', 'due_at', 'signature'],
    },
    'facilitator.rejected_wallets': {
      kept: { because: ON_CHAIN, columns: ['wallet'] },
      plain: ['owner_id', 'rejected_at'],
    },
    'facilitator.first_sights': {
      plain: [
        'number',
        'subject',
        'payer_micros',
        'payee_micros',
        'seen_at',
        'due_at',
        'signature',
        'payer',
        'payee',
        'is_announced',
      ],
    },
    'facilitator.identities': { plain: ['number', 'previous', 'identity', 'signs_from', 'hash', 'seal'] },
    'facilitator.leases': { plain: ['key', 'holder', 'fencing', 'ends_at'] },
    'facilitator.restores': { plain: ['id', 'recorded_at'] },
    'facilitator.outcomes': { plain: ['intent_id', 'status', 'reason', 'tx_hash', 'decided_at'] },
  },
}

/** What the service knows about the facilitator's tables. */
export const facilitator = { personalData, schema: ['facilitator/schema.sql'] } satisfies Module
