import { tokenAbi } from '../../protocol/abi/token.ts'
import { formatAmount } from '../../protocol/amounts.ts'
import { inTransaction } from '../db/transaction.ts'
import { observeHotWallet } from '../reserve/observe.ts'
import { requestSweep, surplusMicros } from '../reserve/sweep.ts'
import { confirmedBlock } from './head.ts'
import { agreed } from './nodes.ts'
import type { Progress } from './progress.ts'
import type { JobServices } from './services.ts'

/**
 * Looks at what the hot wallet holds at confirmed depth: raises an alarm below the floor, and asks for what is beyond the
 * ceiling, and beyond what is to be paid out, to be swept to the cold wallet.
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
