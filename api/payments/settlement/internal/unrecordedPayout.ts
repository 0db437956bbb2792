import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OutflowEvent } from '../../chain/evidence.ts'
import { closeIntent } from '../../chain/intents.ts'
import { setStrayStatus } from '../../escrow/strayPayments.ts'
import { payoutConfirmedPosting, payoutMovedPosting } from '../../ledger/custody.ts'
import { post } from '../../ledger/post.ts'
import { payoutAccount } from '../../payouts/account.ts'
import { type PayoutRow, transitionPayout } from '../../payouts/transition.ts'

/**
 * The hot wallet paid a seller for something that is not on file: the database was restored from an earlier
 * copy. The deposit is on file as a stray payment; cancels its refund, which must not be paid as well. The
 * rest of the deposit was the fee and stays in suspense. Throws if the deposit was refunded as well: an
 * operator must investigate.
 */
export async function recordUnrecordedPayout(
  tx: Tx,
  settings: Pick<Settings, 'chain'>,
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

async function callOff(tx: Tx, settings: Pick<Settings, 'chain'>, refund: PayoutRow, strayKey: string): Promise<void> {
  if (refund.state === 'confirmed') throw new Error(`the hot wallet paid both legs of ${strayKey}`)
  if (refund.state === 'failed') {
    // The deposit is spent: a parked refund of it must not be reopened.
    await tx.updateTable('market.payouts').set({ parked_at: null }).where('id', '=', refund.id).execute()
    return
  }
  const move = { step: 'called_off', from: payoutAccount(refund), to: { kind: 'suspense', strayKey } } as const
  await post(tx, payoutMovedPosting(settings.chain, refund, move))
  await transitionPayout(tx, refund.id, 'callOff', { reason: 'the seller was paid' })
  await closeIntent(tx, `payout:${refund.id}`, 'voided')
  await audit(tx, { actor: 'service', action: 'payout.called_off', subject: urnString('payout', refund.id) })
}
