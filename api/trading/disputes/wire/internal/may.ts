import type { MarketRules } from '../../../../context.ts'
import type { Refusal } from '../../../../errors.ts'
import type { Party } from '../../../orders/record/find.ts'
import type { OwnDispute } from '../../record/find.ts'
import {
  APPEAL_ACTIONS,
  type AppealAction,
  DISPUTE_ACTIONS,
  type DisputeAction,
  mayBeSpokenTo,
  refuseAppeal,
  refuseFile,
  refuseFund,
  refuseHearing,
  refuseRespond,
  refuseState,
  refuseWaive,
} from '../../record/guards.ts'
import type { DisputeParts } from '../../record/queries.ts'

/** Returns the actions in a dispute that the caller's sides may take now, by the rules of the verbs. */
export function mayOfDispute(parts: DisputeParts, rules: MarketRules): DisputeAction[] {
  return DISPUTE_ACTIONS.filter((action) => parts.sides.some((side) => isAllowed(action, parts, side, rules)))
}

/** Returns the actions that the same sides may take in one of its appeals. */
export function mayOfAppeal(
  parts: DisputeParts,
  fee: DisputeParts['appeals'][number],
  rules: MarketRules,
): AppealAction[] {
  return APPEAL_ACTIONS.filter((action) => parts.sides.some((side) => isAllowedOn(fee, action, parts, side, rules)))
}

// Actions without an effect, such as a second `ready` or waiver, are not listed.
function isAllowed(action: DisputeAction, parts: DisputeParts, party: Party, rules: MarketRules): boolean {
  const { dispute, appeals: fees, openAppeals, now } = parts
  const own: OwnDispute = { ...parts, party }
  switch (action) {
    case 'respond':
      return isFree(
        refuseRespond(
          own,
          parts.statements.some((statement) => statement.party === party),
        ),
      )
    case 'declare_ready':
      return dispute[`${party}_ready_at`] === null && isFree(refuseState(dispute, ['open']))
    case 'submit_evidence':
      return isFree(refuseState(dispute, ['open']))
    case 'hand_in_file':
      return dispute.state === 'open' && isFree(refuseFile(own, { ...parts, fees }, rules))
    case 'appeal':
      return isFree(refuseAppeal(own, { fees, openAppeals: openAppeals[party], now }, rules))
    case 'waive_appeal':
      return dispute[`${party}_waived_at`] === null && isFree(refuseWaive(own, fees))
  }
}

function isAllowedOn(
  fee: DisputeParts['appeals'][number],
  action: AppealAction,
  parts: DisputeParts,
  party: Party,
  rules: MarketRules,
): boolean {
  const { appeals: fees, now } = parts
  const own: OwnDispute = { ...parts, party }
  if (!mayBeSpokenTo(fee, party)) return false
  switch (action) {
    case 'fund': {
      const isPaid = fee.filed !== undefined && fee.filed.state !== 'failed'
      return fee.party === party && fee.valid_before > now && isFree(refuseFund(fee, isPaid))
    }
    case 'state':
      return (
        !parts.appealStatements.some((statement) => statement.party === party) && isFree(refuseHearing(own, fees, now))
      )
    case 'hand_in_file':
      return parts.dispute.state !== 'open' && isFree(refuseFile(own, { ...parts, fees }, rules))
  }
}

function isFree(refusal: Refusal | undefined): boolean {
  return refusal === undefined
}
