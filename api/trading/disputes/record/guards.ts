import type { MarketRules } from '../../../context.ts'
import type { Refusal } from '../../../errors.ts'
import { groundProblems } from '../../../errors.ts'
import type { AppealFeeRow } from '../../../payments/appealFees/find.ts'
import type { DisputeState } from '../../../platform/db/generated/tables.ts'
import type { Party } from '../../orders/record/find.ts'
import { refuseSuspended } from '../../orders/record/guards.ts'
import { orderProblems } from '../../orders/record/problems.ts'
import type { EvidenceFileRow } from './evidenceFiles.ts'
import type { DisputeRow, OwnDispute } from './find.ts'
import { disputeProblems } from './problems.ts'

// What a party may do with a dispute and with an appeal, and a reviewer with a case, as pure rules. A verb
// requires its rule; the `may` of each lists the actions that their rules allow. No client has rules of its
// own.

/** The actions of a party in a dispute, the next one first. Each is a call. */
export const DISPUTE_ACTIONS = [
  'respond',
  'declare_ready',
  'submit_evidence',
  'hand_in_file',
  'appeal',
  'waive_appeal',
] as const
export type DisputeAction = (typeof DISPUTE_ACTIONS)[number]

/** The actions of a party in an appeal: its own, or one of the other side that is heard. */
export const APPEAL_ACTIONS = ['fund', 'state', 'hand_in_file'] as const
export type AppealAction = (typeof APPEAL_ACTIONS)[number]

/** The actions of a reviewer in a case that is assigned to them. */
export const REVIEW_ACTIONS = ['clear', 'decide'] as const
export type ReviewAction = (typeof REVIEW_ACTIONS)[number]

/** Refuses an action unless the dispute is in one of these states. */
export function refuseState({ state }: DisputeRow, from: readonly DisputeState[]): Refusal | undefined {
  return from.includes(state) ? undefined : stateConflict(from)
}

/** The refusal for a dispute that is in none of these states. */
export function stateConflict(from: readonly string[]): Refusal {
  return conflict(`This needs a dispute that is ${from.join(' or ')}. Read the dispute to see its state.`)
}

/** Refuses a response, except one by the party that did not open the dispute while the evidence is open. */
export function refuseRespond({ dispute, party }: OwnDispute, hasResponded: boolean): Refusal | undefined {
  const state = refuseState(dispute, ['open'])
  if (state) return state
  if (party === dispute.opener) {
    return { problem: groundProblems.forbidden, detail: 'You opened this dispute: the other side responds.' }
  }
  return hasResponded ? conflict('You have responded already.') : undefined
}

/** Refuses a waiver, unless there is a verdict that can be appealed and the party has not appealed it. */
export function refuseWaive({ dispute, party }: OwnDispute, fees: readonly AppealFeeRow[]): Refusal | undefined {
  const hasAppealed = fees.some((fee) => fee.party === party && fee.state === 'offered')
  const refused = hasAppealed ? conflict('You have appealed: pay the fee, or let it lapse.') : undefined
  return refuseState(dispute, ['decided']) ?? refused
}

/**
 * What else decides whether a party may appeal: its own appeals, the open appeals of its owner, and the time.
 */
interface Appeals {
  fees: readonly AppealFeeRow[]
  openAppeals: number
  now: Date
}

/**
 * Refuses an appeal without a verdict, past its window, after a waiver, a second appeal, and one above the
 * owner's maximum.
 */
export function refuseAppeal(
  { order, dispute, party }: OwnDispute,
  { fees, openAppeals, now }: Appeals,
  { maxOpenAppeals }: MarketRules,
): Refusal | undefined {
  const refused = refuseState(dispute, ['decided']) ?? refuseSuspended(order)
  if (refused) return refused
  if (dispute[`${party}_waived_at`] !== null) return conflict('You have waived your appeal.')
  if (fees.some((fee) => fee.party === party)) {
    return conflict('You have appealed already. Read the dispute to see what became of it.')
  }
  if (dispute.due_at === null || dispute.due_at <= now) return conflict('The time to appeal is over.')
  if (openAppeals < maxOpenAppeals) return undefined
  const detail = `At most ${maxOpenAppeals} appeals of one owner can be open. Wait until one of yours is decided.`
  return { problem: disputeProblems.tooManyAppeals, detail }
}

/** Refuses the payment of an appeal that does not await its fee, and a second one. */
export function refuseFund(fee: AppealFeeRow, isPaid: boolean): Refusal | undefined {
  if (fee.state !== 'offered') return conflict(`The fee of your appeal is ${fee.state}.`)
  if (!isPaid) return undefined
  const detail = 'A payment of this fee is on file already. Read the dispute to see where it stands; do not sign again.'
  return { problem: orderProblems.alreadyFunded, detail }
}

/**
 * Whether a party may make a statement in an appeal: in its own until that is decided, in the other side's
 * once it is paid.
 */
export function mayBeSpokenTo(fee: AppealFeeRow, party: Party): boolean {
  return fee.state === 'held' || (fee.state === 'offered' && fee.party === party)
}

/** Refuses a statement if there is no appeal in which the party may make one, and past the time for it. */
export function refuseHearing(
  { dispute, party }: OwnDispute,
  fees: readonly AppealFeeRow[],
  now: Date,
): Refusal | undefined {
  const state = refuseState(dispute, ['decided', 'in_review'])
  if (state) return state
  if (!fees.some((fee) => mayBeSpokenTo(fee, party)))
    return conflict('There is no appeal on which you can make a statement.')
  const until = dispute.appeal_heard_until
  if (until === null || until > now) return undefined
  return conflict(`Statements on the appeal were possible until ${until.toISOString()}.`)
}

/** The stage that a file of a party would belong to now. */
export function stageOf({ state }: DisputeRow): EvidenceFileRow['stage'] {
  return state === 'open' ? 'evidence' : 'appeal'
}

/**
 * Refuses a file unless the evidence or an appeal in which the party may make a statement is open, and beyond
 * a side's limit.
 */
export function refuseFile(
  own: OwnDispute,
  { files, fees, now }: { files: readonly EvidenceFileRow[] } & Omit<Appeals, 'openAppeals'>,
  { maxEvidenceFiles }: MarketRules,
): Refusal | undefined {
  const { dispute, party } = own
  const stage = stageOf(dispute)
  const refused =
    refuseState(dispute, ['open', 'decided', 'in_review']) ??
    (stage === 'appeal' ? refuseHearing(own, fees, now) : undefined)
  if (refused) return refused
  if (files.filter((file) => file.party === party && file.stage === stage).length < maxEvidenceFiles) return undefined
  return {
    problem: disputeProblems.tooManyFiles,
    detail: `A side can hand in ${maxEvidenceFiles} files, and your side has.`,
  }
}

/** Refuses to judge a text that does not await review. */
export function refuseClear({ dispute }: Pick<OwnDispute, 'dispute'>): Refusal | undefined {
  return refuseState(dispute, ['pre_review'])
}

/**
 * Refuses a decision of a reviewer on a case that is decided, or that they have decided; and while its
 * payment is gone.
 */
export function refuseDecide({ order, dispute }: Omit<OwnDispute, 'party'>, hasDecided: boolean): Refusal | undefined {
  const refused = refuseState(dispute, ['pre_review', 'in_review'])
  return refused ?? (hasDecided ? conflict('You have decided already.') : undefined) ?? refuseSuspended(order)
}

function conflict(detail: string): Refusal {
  return { problem: disputeProblems.stateConflict, detail }
}
