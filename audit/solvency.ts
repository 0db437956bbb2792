import type { Address, PublicClient } from 'viem'
import { formatAmount } from '../protocol/encoding/amounts.ts'
import { tokenAbi } from '../protocol/generated/token.ts'
import { askAll } from '../protocol/rpc/askAll.ts'
import type { Deposit } from './custody.ts'
import { feeOf } from './fees.ts'
import type { AuditTarget } from './history.ts'
import type { Finding } from './report.ts'

/** Returns the tokens that the accounts held together at a block; micro-units. */
export async function balanceOfAll(
  client: PublicClient,
  token: Address,
  accounts: readonly Address[],
  blockNumber: bigint,
): Promise<bigint> {
  const balances = await askAll(accounts, (account) =>
    client.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [account], blockNumber }),
  )
  return balances.reduce((total, balance) => total + balance, 0n)
}

/**
 * Returns the least that the deposits up to a block leave owed: what was not paid out, less the highest fees;
 * nothing of an appeal's fee, which may be kept; micro-units.
 */
export function leastOwed(deposits: readonly Deposit[], blockNumber: bigint): bigint {
  let leastMicros = 0n
  for (const { transfer, legs, fees, isAppealFee } of deposits) {
    if (transfer.blockNumber > blockNumber || isAppealFee) continue
    let leftMicros = transfer.amountMicros
    for (const leg of [legs.payee, legs.payer])
      if (leg && leg.blockNumber <= blockNumber) leftMicros -= leg.amountMicros
    const owedMicros = leftMicros - feeOf(transfer.amountMicros, Math.max(0, ...fees))
    if (owedMicros > 0n) leastMicros += owedMicros
  }
  return leastMicros
}

/**
 * Compares what the hot wallet and the proven cold wallets hold at the last audited block with the least that
 * is owed.
 */
export async function auditSolvency(
  client: PublicClient,
  { token, hotWallet, toBlock }: AuditTarget,
  deposits: readonly Deposit[],
  provenWallets: readonly Address[],
): Promise<Finding[]> {
  const heldMicros = await balanceOfAll(client, token, [hotWallet, ...provenWallets], toBlock)
  const owedMicros = leastOwed(deposits, toBlock)
  if (heldMicros >= owedMicros) return []
  const detail =
    `Its deposits leave at least ${formatAmount(owedMicros)} owed at block ${toBlock}; ` +
    `it and the cold wallets that proved their control hold ${formatAmount(heldMicros)}.`
  return [{ code: 'custody/insolvent', subject: hotWallet, detail }]
}
