import { hash } from 'node:crypto'
import { canonicalJson } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { EscrowMode, ReceiptPrivacy } from '../../../platform/db/generated/tables.ts'
import type { Subject } from './internal/purchase.ts'

/** The subject of a placement, and its escrow mode. */
export interface Placement {
  subject: Subject
  mode: EscrowMode | undefined
  receiptPrivacy?: ReceiptPrivacy | undefined
  /** True if only the parties can read their messages. */
  sealed?: boolean | undefined
}

/** Returns the URNs of an order's subject. */
export function subjectUrns(subject: Subject) {
  if ('askId' in subject) return { ask_urn: urnString('ask', subject.askId) }
  return { bid_urn: urnString('bid', subject.bidId), quote_urn: urnString('quote', subject.quoteId) }
}

/**
 * Returns the SHA-256 of a placement's content: a paid retry must have the same content, however its JSON is
 * formatted.
 */
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
