import type { Address, Hex } from 'viem'
import { failPayout } from '../../../../../../api/payments/payouts/fail.ts'
import { reopenPayout } from '../../../../../../api/payments/payouts/internal/reopen.ts'
import { submitPayout } from '../../../../../../api/payments/payouts/internal/submit.ts'
import type { PayoutRow } from '../../../../../../api/payments/payouts/transition.ts'
import { unblockPayouts } from '../../../../../../api/payments/payouts/unblock.ts'
import { outflowEvent } from '../../escrow/chainEvents.ts'
import { payoutsOf } from '../../escrow/read.ts'
import { bindWallet, newAddress, type Party } from '../../escrow/world.ts'
import type { Stage } from './stage.ts'
import type { Steps } from './steps.ts'

interface Deposit {
  from: Address
  nonce: Hex
}

/**
 * Sends everything that a deposit is owed: each as often as it takes, to the wallet that its owner has named
 * last.
 */
export async function sendPayouts(
  stage: Stage,
  steps: Steps,
  {
    deposit,
    owners,
    failures,
  }: {
    deposit: Deposit
    /** Who a leg is owed to: without one, nobody can name another wallet. */
    owners: Partial<Record<PayoutRow['leg'], Party>>
    failures: number
  },
): Promise<void> {
  for (const payout of await payoutsOf(stage.world, deposit.from)) {
    const owner = owners[payout.leg]
    if (payout.state === 'blocked' && owner) await unblock(stage, steps, owner)
    for (let failure = 0; failure < failures; failure++) await fail(stage, steps, payout.id, owner)
    await submit(stage, steps, payout.id)
    const { amount_micros, to_address } = await read(stage, payout.id)
    await steps.settle(outflowEvent(stage.world, deposit, payout.leg, to_address as Address, amount_micros))
  }
}

function read({ world }: Stage, id: string): Promise<PayoutRow> {
  return world.db.selectFrom('market.payouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function submit({ world }: Stage, steps: Steps, id: string) {
  return steps.must((tx) => submitPayout(tx, world.settings, id))
}

async function unblock(_stage: Stage, steps: Steps, { agentId, humanId, call }: Party): Promise<void> {
  const address = newAddress()
  await steps.must(async (tx) => {
    const bound = tx.selectFrom('market.wallets').select('id').where('address', '=', address)
    if (await bound.executeTakeFirst()) return false
    // As verifyWallet does: whoever opens a payout for this owner sees the wallet, or is seen.
    await tx.selectFrom('market.humans').select('id').where('id', '=', humanId).forNoKeyUpdate().execute()
    if (await bound.executeTakeFirst()) return false
    await bindWallet(tx, { agentId, humanId, call }, address)
    await unblockPayouts(tx, agentId, humanId)
    return true
  })
}

async function fail(stage: Stage, steps: Steps, id: string, owner: Party | undefined): Promise<void> {
  const { world } = stage
  await submit(stage, steps, id)
  await steps.must((tx) => failPayout(tx, world.settings, id, 'the token refuses'))
  if ((await read(stage, id)).state !== 'failed' || !owner) return
  const wallets = world.db.selectFrom('market.wallets').select('id').where('owner_id', '=', owner.humanId)
  const { id: walletId } = await wallets.where('payout_from', 'is not', null).executeTakeFirstOrThrow()
  const actor = { ...owner.call.actor, agentId: null }
  await steps.must(async (tx) => {
    await reopenPayout(tx, { actor, settings: world.settings }, { payoutId: id, walletId })
    return true
  })
}
