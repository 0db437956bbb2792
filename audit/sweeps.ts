import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import { sweepNonce, type WalletLocation } from '../protocol/payments/nonces.ts'
import type { Transfer } from './history.ts'
import type { Finding } from './report.ts'

/**
 * Separates sweeps, which may go only to a cold wallet, from unexplained outflows. Sweep numbers have no
 * gaps, so there can be no more sweeps than outflows.
 */
export function matchSweeps(
  outflows: readonly Transfer[],
  at: WalletLocation,
  coldWallets: readonly Address[],
): { sweeps: Transfer[]; findings: Finding[] } {
  const isSweep = isSweepAmong(outflows, at)
  const sweeps: Transfer[] = []
  const findings: Finding[] = []
  for (const outflow of outflows) {
    const isNumbered = isSweep(outflow)
    if (isNumbered && coldWallets.some((wallet) => isAddressEqual(wallet, outflow.to))) sweeps.push(outflow)
    else findings.push(isNumbered ? elsewhere(outflow) : unexplained(outflow, at.hotWallet))
  }
  return { sweeps, findings }
}

/**
 * Returns the inflows, signed or not, by which a cold wallet returned swept tokens: they are no deposits and
 * owed to no account. Anything beyond the swept amount counts as a stranger's, as in the service. `transfers`
 * are in chain order.
 */
export function findRefills(
  transfers: readonly Transfer[],
  at: WalletLocation,
  coldWallets: readonly Address[],
): Set<Transfer> {
  const isSweep = isSweepAmong(
    transfers.filter(({ from }) => from === at.hotWallet),
    at,
  )
  const keptMicros = new Map(coldWallets.map((wallet) => [getAddress(wallet), 0n]))
  const refills = new Set<Transfer>()
  for (const transfer of transfers) {
    const { from, to, amountMicros } = transfer
    const sentMicros = keptMicros.get(to)
    if (from === at.hotWallet && sentMicros !== undefined && isSweep(transfer)) {
      keptMicros.set(to, sentMicros + amountMicros)
    }
    const backMicros = keptMicros.get(from)
    if (to === at.hotWallet && backMicros !== undefined && backMicros >= amountMicros) {
      keptMicros.set(from, backMicros - amountMicros)
      refills.add(transfer)
    }
  }
  return refills
}

function isSweepAmong(outflows: readonly Transfer[], at: WalletLocation): (outflow: Transfer) => boolean {
  const nonces = new Set<Hex>(outflows.map((_, index) => sweepNonce(at, BigInt(index + 1))))
  return ({ authorizationNonce }) => authorizationNonce !== null && nonces.has(authorizationNonce)
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
