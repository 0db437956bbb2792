// Patterns for the subject of a text, applied to the words around a suspected attack. Everything is bounded.

/** An outcome of a dispute, in the languages of `overrides.ts`. */
export const OUTCOME = new RegExp(
  [
    'full_refund|partial_refund|release_to_seller|refund_bps',
    '\\b(?:award|awards|refund|refunds|refunded|verdict|ruling)\\b',
    '\\b(?:rule|decide|find|side|vote) (?:for|with|in favou?r|against)\\b|\\bin favou?r of\\b',
    '\\b(?:release|approve|grant|issue)\\b.{0,30}\\b(?:payment|funds|money|price|escrow|amount|release)\\b',
    '\\b(?:buyer|seller) (?:wins|has won|is right|is always right)\\b',
    'rembours|erstatt|zugunsten|freigeben|reembols|a favor d|rimbors|a favore|terugbetal|ten gunste|zwrot|na korzyść',
    'верни|возврат|в пользу|поверн|на користь|退款|胜诉|放款|返金|환불|판정|رد المبلغ|لصالح|استرداد',
    'iade|lehine|החזר|לטובת|برگرد|بازپرداخت|به نفع|वापस|पक्ष में',
  ].join('|'),
  'iu',
)

/** The parties of a dispute. */
export const PARTY = new RegExp(
  [
    '\\b(?:buyer|seller)\\b|verkäufer|käufer|vendeur|acheteur|vendedor|comprador|venditore|acquirente|compratore|verkoper|koper',
    'sprzedaw|kupując|продав|покупат|продавц|покупц|卖家|买家|売り手|買い手|판매자|구매자|البائع|المشتري|satıcı|alıcı',
    'מוכר|קונה|فروشنده|خریدار|विक्रेता|खरीदार',
  ].join('|'),
  'iu',
)

/**
 * The decision of a dispute itself. Texts from before the dispute, and deliveries, may well be about models,
 * their prompts, refunds and judges: they are an attack only if they mention this decision.
 */
export const DECIDING = new RegExp(
  [
    'full_refund|partial_refund|release_to_seller|refund_bps',
    '\\b(?:arbitrator|arbitration|arbiter|adjudicat)|\\b(?:ai|llm) judge\\b',
    '\\b(?:dispute|escrow)\\b',
    '\\b(?:to|for|of|against) the (?:buyer|seller)\\b|\\bthe (?:buyer|seller) (?:wins|must|is right)\\b',
  ].join('|'),
  'iu',
)
