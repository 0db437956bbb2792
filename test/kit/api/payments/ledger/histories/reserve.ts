import { sql } from 'kysely'
import type { Address } from 'viem'
import { businessKey } from '../../../../../../api/payments/chain/evidence.ts'
import { failSweep, requestSweep } from '../../../../../../api/payments/reserve/sweep.ts'
import { sweepNonce } from '../../../../../../protocol/payments/nonces.ts'
import { place } from '../../escrow/chainEvents.ts'
import { newAddress } from '../../escrow/world.ts'
import type { ReservePlan } from './plan.ts'
import { part, type Stage } from './stage.ts'
import type { Steps } from './steps.ts'

/**
 * What somebody sent unasked is swept to the cold wallet, and a part of it comes back. One after the other.
 * One that the chain takes back is asked for again, and counts once.
 */
export function liveOfReserve(stage: Stage, steps: Steps, plan: ReservePlan): Promise<void> {
  const before = stage.sweeping
  const swept = before.then(() => sweep(stage, steps, plan))
  stage.sweeping = swept.catch(() => {})
  return swept
}

async function sweep(stage: Stage, steps: Steps, { amountMicros, failures, refillPermille, isLost }: ReservePlan) {
  const { chain, reserve } = stage.world.settings
  const coldWallet = reserve?.coldWallet.toLowerCase() as Address
  const hotWallet = chain.hotWallet.toLowerCase() as Address
  const sent = { kind: 'transfer', place: place(), from: newAddress(), to: hotWallet, amountMicros } as const
  await steps.settle(sent)
  stage.chain.apart.set(businessKey(sent), amountMicros)
  for (let failure = 0; failure < failures; failure++) {
    const sequence = await ask(stage, steps, amountMicros)
    await steps.must((tx) => giveUp(tx, sequence))
  }
  const sequence = await ask(stage, steps, amountMicros)
  const nonce = sweepNonce(chain, sequence)
  const made = await steps.settle({ kind: 'outflow', place: place(), to: coldWallet, amountMicros, nonce } as const)
  if (isLost !== 'never') {
    await steps.takeBack(made)
    if ((await ask(stage, steps, amountMicros + 1n)) !== sequence) throw new Error('another sweep was asked for')
    await steps.bringBack(made)
  }
  const back = part(amountMicros, refillPermille)
  const refill = { kind: 'transfer', place: place(), from: coldWallet, to: hotWallet } as const
  if (back > 0n) await steps.settle({ ...refill, amountMicros: back })
}

/** Asks for a sweep, when the pause after the last failure is over. Answers its number. */
async function ask({ world }: Stage, steps: Steps, amountMicros: bigint): Promise<bigint> {
  await sql`update market.sweeps set requested_at = requested_at - interval '1 hour'`.execute(world.db)
  await steps.must((tx) => requestSweep(tx, world.settings, amountMicros))
  const open = world.db.selectFrom('market.sweeps').select('sequence').where('state', '=', 'requested')
  return (await open.executeTakeFirstOrThrow()).sequence
}

async function giveUp(tx: Parameters<typeof failSweep>[0], sequence: bigint): Promise<boolean> {
  const open = tx.selectFrom('market.sweeps').select('state').where('sequence', '=', sequence).forNoKeyUpdate()
  if ((await open.executeTakeFirstOrThrow()).state !== 'requested') return false
  await failSweep(tx, sequence, 'the token refuses')
  return true
}
