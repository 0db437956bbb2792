import { Problem } from '../../../errors.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import type { Subject } from './internal/purchase.ts'

/** The members of a placement that name its subject. */
interface SubjectMembers {
  ask_urn?: string | undefined
  ask_version?: number | undefined
  bid_urn?: string | undefined
  quote_urn?: string | undefined
}

/**
 * Returns the subject of a placement: an ask, or a bid and a quote on it, but not both (spec 4). Throws 400
 * naming the missing or superfluous member.
 */
export function readSubject({ ask_urn, ask_version, bid_urn, quote_urn }: SubjectMembers): Subject {
  if (ask_urn !== undefined) {
    if (bid_urn !== undefined) throw invalid('bid_urn', 'an order is for an ask or for a quote on a bid, not for both')
    if (quote_urn !== undefined) throw invalid('quote_urn', 'an order is for an ask or for a quote on a bid, not both')
    return { askId: ask_urn, askVersion: ask_version }
  }
  if (ask_version !== undefined) throw invalid('ask_version', 'is the version of an ask: send ask_urn with it')
  if (bid_urn === undefined && quote_urn === undefined)
    throw invalid('ask_urn', 'say what you order: ask_urn, or bid_urn and quote_urn')
  if (bid_urn === undefined) throw invalid('bid_urn', 'a quote is ordered with the bid it answers')
  if (quote_urn === undefined) throw invalid('quote_urn', 'say which quote on the bid you order')
  return { bidId: bid_urn, quoteId: quote_urn }
}

function invalid(field: string, message: string): Problem {
  return new Problem(httpProblems.invalid, { detail: `${field}: ${message}.`, field })
}
