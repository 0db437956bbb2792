import { type Address, type Hex, isAddressEqual } from 'viem'
import { sweepNonce, type WalletLocation } from '../protocol/nonces.ts'
import type { Transfer } from './history.ts'
import type { Finding } from './report.ts'

/**
 * Tells sweeps, which may go to a cold wallet alone, from what nothing explains. Numbers of sweeps have no gaps, so
 * there can be no more of them than there are outflows.
 */
export function matchSweeps(
  outflows: readonly Transfer[],
  at: WalletLocation,
  coldWallets: readonly Address[],
): { sweeps: Transfer[]; findings: Finding[] } {
  const nonces = new Set<Hex>(outflows.map((_, index) => sweepNonce(at, BigInt(index + 1))))
  const sweeps: Transfer[] = []
  const findings: Finding[] = []
  for (const outflow of outflows) {
    const isSweep = outflow.authorizationNonce !== null && nonces.has(outflow.authorizationNonce)
    if (isSweep && coldWallets.some((wallet) => isAddressEqual(wallet, outflow.to))) sweeps.push(outflow)
    else findings.push(isSweep ? elsewhere(outflow) : unexplained(outflow, at.hotWallet))
  }
  return { sweeps, findings }
}

function elsewhere({ txHash, amountMicros, to }: Transfer): Finding {
  return {
    code: 'custody/sweep-elsewhere',
    subject: txHash,
    detail: `${amountMicros} was swept to ${to}, which is no cold wallet that you named.`,
  }
}

function unexplained({ txHash, amountMicros, to }: Transfer, hotWallet: Address): Finding {
  return {
    code: 'custody/unexplained-outflow',
    subject: txHash,
    detail: `${amountMicros} left the hot wallet ${hotWallet} for ${to}, and no deposit has this payout.`,
  }
}
