import { createHash } from 'node:crypto'
import { canonicalJson } from '../../protocol/canonical.ts'
import { urnString } from '../../protocol/urn.ts'
import type { Placement } from './place.ts'

/** SHA-256 of what a placement asked for: a paid retry must ask for the same, however its JSON is written. */
export function requestHash({ askId, mode, receiptPrivacy, sealed }: Placement): Buffer {
  const request = {
    ask_urn: urnString('ask', askId),
    ...(mode ? { escrow_mode: mode } : {}),
    ...(sealed ? { sealed } : {}),
    ...(receiptPrivacy ? { receipt_privacy: receiptPrivacy } : {}),
  }
  return createHash('sha256').update(canonicalJson(request)).digest()
}
