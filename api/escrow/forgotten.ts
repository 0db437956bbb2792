import { urnString } from '../../protocol/urn.ts'
import type { Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { closeIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { payoutConfirmedPosting, payoutMovedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { payoutAccount } from '../payouts/account.ts'
import { movePayout, type PayoutRow } from '../payouts/transition.ts'
import type { OutflowEvent } from './evidence.ts'
import { setStrayStatus } from './strays.ts'

/**
 * The hot wallet paid a seller for an order that is not on file: this is an earlier copy of the database. The order's
 * deposit came in as stray money, and its refund, which can never be paid beside this, is called off. What is left of
 * the deposit was the fee; it stays apart. Throws when the deposit was refunded as well: somebody must look at it.
 */
export async function recordForgottenPayout(
  tx: Tx,
  settings: Settings,
  event: OutflowEvent,
  deposit: { payer: string; nonce: string; refund: PayoutRow | undefined },
): Promise<void> {
  const strayKey = `payment:${deposit.payer}:${deposit.nonce}`
  if (deposit.refund) await callOff(tx, settings, deposit.refund, strayKey)
  await setStrayStatus(tx, strayKey, 'suspense')
  await post(tx, payoutConfirmedPosting(settings.chain, event, null, { kind: 'suspense', strayKey }))
  const details = { tx_hash: event.place.txHash, payer: deposit.payer, nonce: deposit.nonce }
  await audit(tx, { actor: 'service', action: 'payout.forgotten', subject: event.to, details })
}

async function callOff(tx: Tx, settings: Settings, refund: PayoutRow, strayKey: string): Promise<void> {
  if (refund.state === 'confirmed') throw new Error(`the hot wallet paid both legs of ${strayKey}`)
  if (refund.state === 'failed') {
    // What is left of its deposit is not its money any more: it is never opened again.
    await tx.updateTable('market.payouts').set({ parked_at: null }).where('id', '=', refund.id).execute()
    return
  }
  const move = { step: 'called_off', from: payoutAccount(refund), to: { kind: 'suspense', strayKey } } as const
  await post(tx, payoutMovedPosting(settings.chain, refund, move))
  await movePayout(tx, refund.id, 'callOff', { reason: 'the seller was paid' })
  await closeIntent(tx, `payout:${refund.id}`, 'voided')
  await audit(tx, { actor: 'service', action: 'payout.called_off', subject: urnString('payout', refund.id) })
}
