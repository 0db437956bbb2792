import { z } from 'zod'
import { defineEvents, timeIn, urnIn } from '../../platform/events/eventType.ts'

const aboutWallet = z.object({ wallet_urn: urnIn('wallet') })

export const walletEvents = defineEvents({
  'payout.wallet_chosen': {
    when: 'A payout wallet was chosen; it is used from payout_from on.',
    payload: aboutWallet.extend({ account_urn: urnIn('human', 'agent'), payout_from: timeIn.nullable() }),
  },
  // Emitted by `market restored`.
  'payout.wallet_doubted': {
    when: 'After a restore from a backup the owner must confirm the payout wallet.',
    payload: aboutWallet,
  },
})
