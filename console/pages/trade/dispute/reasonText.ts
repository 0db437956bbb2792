import { type Message, msg, t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'

/** Why a human decides, by the reason codes of a dispute. */
const REASONS: Readonly<Record<string, Message>> = {
  facts_undecided: msg('the rules do not decide it'),
  delay_contested: msg('the seller says that the buyer caused or accepted the delay'),
  model_unavailable: msg('no model answered'),
  not_decided_in_time: msg('it was not decided in time'),
  appealed: msg('a party appealed'),
  suspect_text_buyer: msg('the buyer’s text may try to influence the judge'),
  suspect_text_seller: msg('the seller’s text may try to influence the judge'),
  text_cleared: msg('a reviewer found the texts harmless'),
  text_confirmed: msg('a reviewer found that a text tries to influence the judge'),
}

/** Returns codes of a dispute in words: one that is not known here as its own words. */
export function reasonText(codes: readonly string[]): string {
  return codes.map((code) => (REASONS[code] ? t(REASONS[code]) : word(code))).join(', ')
}
