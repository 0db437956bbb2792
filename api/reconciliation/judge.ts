import type { Address, Hex } from 'viem'
import { holdId, termsHash } from '../../protocol/terms.ts'
import type { ChainSettings } from '../context.ts'
import type { ReconciliationFinding } from '../db/schema/reconciliation.ts'
import type { ComparedAccount } from './accounts.ts'
import type { Sums } from './booked.ts'
import { MISSHAPEN } from './names.ts'

/** What the contract and the token say at a block, in micro-units. */
export interface ChainFigures {
  escrowMicros: bigint
  owedMicros: bigint
  walletMicros: bigint
}

export type Finding = ReconciliationFinding

/** What the sums of the ledger say, in the words of the chain, all above zero. */
export function figuresOf(sums: Sums) {
  const line = (name: string) => sums[name] ?? 0n
  return {
    escrowMicros: -line('escrow_contract'),
    owedMicros: line('escrow_hold') + line('claimable') + line('owed_loss'),
    walletMicros: -line('hot_wallet'),
  } satisfies ChainFigures
}

/** Where the sums and the chain differ, and whether the ledger balances at all. */
export function judgeSums(chain: ChainSettings, sums: Sums, seen: ChainFigures): Finding[] {
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

/** Where what the database says of one account does not fit together, whatever the chain says. */
export function judgeAccount(chain: ChainSettings, account: ComparedAccount): Finding[] {
  const { id, kind, owner, balanceMicros, entriesMicros, heldMicros, owedMicros, claims } = account
  const about = { subject: owner, account: `${id}`, booked: `${balanceMicros}` }
  if (kind === MISSHAPEN) return [{ ...about, code: 'ledger/account', expected: 'an account of its kind' }]
  const findings: Finding[] = []
  if (entriesMicros !== null && entriesMicros !== balanceMicros)
    findings.push({ ...about, code: 'ledger/account', expected: `${entriesMicros}` })
  if (heldMicros !== null && heldMicros !== balanceMicros)
    findings.push({ ...about, code: 'hold/order', expected: `${heldMicros}` })
  if (owedMicros !== null && owedMicros !== balanceMicros)
    findings.push({ ...about, code: 'payout/owed', expected: `${owedMicros}` })
  const claimed = claims && readClaim(chain, owner, claims)
  if (balanceMicros > 0n && claimed !== null && claimed !== balanceMicros)
    findings.push({ ...about, code: 'hold/terms', expected: claimed === undefined ? 'other terms' : `${claimed}` })
  return findings
}

/** The chain can be asked about this one: a hold of the contract, or what somebody can withdraw. */
export function isOnChain({ kind, owner, isLate }: ComparedAccount): boolean {
  return !isLate && (kind === 'claimable' || (kind === 'hold' && owner.startsWith('0x')))
}

function readClaim(chain: ChainSettings, owner: string, claims: Record<string, string>): bigint | undefined {
  try {
    return claimedMicros(chain, owner, claims)
  } catch {
    // Changed by hand, they may be no terms at all.
    return undefined
  }
}

/**
 * What a hold's payment was of, as verified when it was booked. The id of a hold of the contract is the hash of its
 * terms, so they prove each other: undefined where they do not.
 */
function claimedMicros(chain: ChainSettings, owner: string, claims: Record<string, string>): bigint | undefined {
  if (!owner.startsWith('0x')) return BigInt(claims.amount ?? '0')
  const { order, payer, payee, amount, fee_recipient, fee_bps, fund_by, expiry } = claims
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
