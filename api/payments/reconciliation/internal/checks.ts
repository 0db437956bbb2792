import type { Address, Hex } from 'viem'
import { holdId, termsHash } from '../../../../protocol/payments/terms.ts'
import type { ChainSettings } from '../../../context.ts'
import type { ReconciliationFinding } from '../../../platform/db/columns.ts'
import { MISSHAPEN } from './accountShape.ts'
import type { ComparedAccount } from './accounts.ts'
import type { Sums } from './ledgerTotals.ts'

/** The contract's and the token's figures at a block, in micro-units. */
export interface ChainFigures {
  escrowMicros: bigint
  owedMicros: bigint
  walletMicros: bigint
}

export type Finding = ReconciliationFinding

/** Returns the ledger's sums as the chain's figures, all positive. */
export function figuresOf(sums: Sums) {
  const line = (name: string) => sums[name] ?? 0n
  return {
    escrowMicros: -line('escrow_contract'),
    owedMicros: line('escrow_hold') + line('claimable') + line('owed_loss'),
    walletMicros: -line('hot_wallet'),
  } satisfies ChainFigures
}

/** Returns findings where the sums and the chain differ, and if the ledger does not balance. */
export function checkSums(chain: ChainSettings, sums: Sums, seen: ChainFigures): Finding[] {
  const booked = figuresOf(sums)
  const compared: [Finding['code'], string, bigint, bigint][] = [
    ['ledger/unbalanced', 'all accounts', Object.values(sums).reduce((sum, micros) => sum + micros, 0n), 0n],
    ['escrow/balance', chain.escrow, booked.escrowMicros, seen.escrowMicros],
    ['escrow/owed', chain.escrow, booked.owedMicros, seen.owedMicros],
    ['wallet/balance', chain.hotWallet, booked.walletMicros, seen.walletMicros],
  ]
  return compared.flatMap(([code, subject, one, other]) =>
    one === other ? [] : [{ code, subject, booked: `${one}`, expected: `${other}` }],
  )
}

/**
 * Returns findings where the database's own records of one account contradict each other, independent of the
 * chain.
 */
export function checkAccount(chain: ChainSettings, account: ComparedAccount): Finding[] {
  const { id, kind, owner, balanceMicros, entriesMicros, heldMicros, owedMicros, event_arguments } = account
  const about = { subject: owner, account: `${id}`, booked: `${balanceMicros ?? entriesMicros}` }
  if (kind === MISSHAPEN) return [{ ...about, code: 'ledger/account', expected: 'an account of its kind' }]
  const findings: Finding[] = []
  if (entriesMicros !== null && entriesMicros !== balanceMicros)
    findings.push({ ...about, code: 'ledger/account', expected: `${entriesMicros}` })
  if (heldMicros !== null && heldMicros !== balanceMicros)
    findings.push({ ...about, code: 'hold/order', expected: `${heldMicros}` })
  if (owedMicros !== null && owedMicros !== balanceMicros)
    findings.push({ ...about, code: 'payout/owed', expected: `${owedMicros}` })
  const stated = event_arguments && statedOf(chain, account, event_arguments)
  if (balanceMicros !== null && balanceMicros > 0n && stated !== null && stated !== balanceMicros)
    findings.push({ ...about, code: 'hold/terms', expected: stated === undefined ? 'other terms' : `${stated}` })
  return findings
}

/** Returns whether the chain can verify this account: a hold of the contract, or a withdrawable credit. */
export function isOnChain({ kind, ownerType, isLate }: ComparedAccount): boolean {
  return !isLate && (kind === 'claimable' || (kind === 'hold' && ownerType === 'hold'))
}

function statedOf(
  chain: ChainSettings,
  account: ComparedAccount,
  event_arguments: Record<string, string>,
): bigint | undefined {
  try {
    return statedMicros(chain, account, event_arguments)
  } catch {
    // Edited by hand, they may not be valid terms.
    return undefined
  }
}

/**
 * Returns the amount of a hold's payment, as verified when it was booked. The id of a hold of the contract is
 * the hash of its terms, so they verify each other: undefined if they do not match.
 */
function statedMicros(
  chain: ChainSettings,
  { ownerType, owner }: ComparedAccount,
  event_arguments: Record<string, string>,
): bigint | undefined {
  if (ownerType !== 'hold') return BigInt(event_arguments.amount ?? '0')
  const { order, payer, payee, amount, fee_recipient, fee_bps, fund_by, expiry } = event_arguments
  const terms = {
    order: order as Hex,
    payee: payee as Address,
    amount: BigInt(amount ?? '0'),
    feeRecipient: fee_recipient as Address,
    feeBps: Number(fee_bps),
    fundBy: Number(fund_by),
    expiry: Number(expiry),
  }
  return holdId(termsHash(chain, terms), payer as Address) === owner ? terms.amount : undefined
}
