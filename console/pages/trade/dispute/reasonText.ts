/** Why a human decides, by the reason codes of a dispute. */
const REASONS: Readonly<Record<string, string>> = {
  facts_undecided: 'the rules do not decide it',
  model_unavailable: 'no model answered',
  not_decided_in_time: 'it was not decided in time',
  appealed: 'a party appealed',
  suspect_text_buyer: 'the buyer’s text may try to influence the judge',
  suspect_text_seller: 'the seller’s text may try to influence the judge',
  text_cleared: 'a reviewer found the texts harmless',
  text_confirmed: 'a reviewer found that a text tries to influence the judge',
}

/** Returns codes of a dispute in words: one that is not known here as its own words. */
export function reasonText(codes: readonly string[]): string {
  return codes.map((code) => REASONS[code] ?? code.replaceAll('_', ' ')).join(', ')
}
