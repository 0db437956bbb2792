import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { agreed, confirmedBlock } from '../chain/nodes.ts'
import type { Progress } from '../chain/progress.ts'
import { observeHotWallet } from './internal/observe.ts'
import { requestSweep, surplusMicros } from './sweep.ts'

/**
 * Checks the hot wallet's balance at confirmed depth: raises an alarm below the floor, and requests a sweep
 * to the cold wallet of the amount above the ceiling and the due payouts.
 */
export async function watchHotWallet(services: JobServices, progress: Progress): Promise<void> {
  const { db, settings, log } = services
  const { chain, reserve, rules } = settings
  const blockNumber = await confirmedBlock(services)
  if (blockNumber === undefined) return
  const read = { address: chain.token, abi: tokenAbi, functionName: 'balanceOf', args: [chain.hotWallet] } as const
  const balanceMicros = await agreed(services, 'the balance of the hot wallet', (node) =>
    node.readContract({ ...read, blockNumber }),
  )
  const { dueMicros, isBelowFloor } = await inTransaction(db, 'read write', (tx) =>
    observeHotWallet(tx, settings, { blockNumber, balanceMicros }),
  )
  if (isBelowFloor && progress.shouldAlarm('hot wallet below its floor')) {
    const [balance, due, floor] = [balanceMicros, dueMicros, rules.hotWalletFloorMicros].map(formatAmount)
    log.error({ alarm: true, balance, due, floor }, 'the hot wallet is below its floor')
  }
  const amountMicros = reserve ? surplusMicros(reserve, balanceMicros, dueMicros) : 0n
  if (amountMicros > 0n) await inTransaction(db, 'read write', (tx) => requestSweep(tx, settings, amountMicros))
}
