import { hash } from 'node:crypto'
import { canonicalJson } from '../../protocol/canonical.ts'
import { urnString } from '../../protocol/urn.ts'
import type { Placement } from './place.ts'
import type { Subject } from './purchase.ts'

/** The URNs of what an order is for. */
export function subjectUrns(subject: Subject) {
  if ('askId' in subject) return { ask_urn: urnString('ask', subject.askId) }
  return { bid_urn: urnString('bid', subject.bidId), quote_urn: urnString('quote', subject.quoteId) }
}

/** SHA-256 of what a placement asked for: a paid retry must ask for the same, however its JSON is written. */
export function requestHash({ subject, mode, receiptPrivacy, sealed }: Placement): Buffer {
  const version = 'askId' in subject ? subject.askVersion : undefined
  const request = {
    ...subjectUrns(subject),
    ...(version === undefined ? {} : { ask_version: version }),
    ...(mode ? { escrow_mode: mode } : {}),
    ...(sealed ? { sealed } : {}),
    ...(receiptPrivacy ? { receipt_privacy: receiptPrivacy } : {}),
  }
  return hash('sha256', canonicalJson(request), 'buffer')
}
