// Text that addresses the judge instead of describing the work. Every pattern is bounded: these run on texts
// that were written to slow them down.

/** What a text is: a statement, the work itself, or the name of a file. */
export type Where = 'said' | 'goods' | 'name'

/** A kind of such text. Each family counts once in a text. */
export interface Family {
  name: string
  score: number
  /** Its score inside quotation marks, if that is lower. */
  quotedScore?: number
  patterns: readonly RegExp[]
  /** Words that make it an attack if they are beside it. */
  beside?: RegExp
  /** Where it is an attack, if not everywhere: prompts and stories may have it. */
  where?: readonly Where[]
}

// Beginnings of words, in the languages of most disputes.
const PARTY =
  '(?:(?<!\\p{L})(?:buyer|seller|vendor|supplier)|verkäufer|käufer|anbieter|vendeur|acheteur|vendedor|comprador|venditore|acquirente|koper|sprzedaw|kupując|продав|покупат|satıcı|alıcı|卖家|买家|卖方|买方|売り手|買い手|판매자|구매자|البائع|المشتري|מוכר|קונה|فروشنده|خریدار|विक्रेता|खरीदार)'
const GAIN =
  '(?:(?<!\\p{L})(?:full|whole|all|everything|every cent|money|refund|pay|paid|award|release|wins?|favou?r|(?:rule|decide|find|side|conclude)s? (?:for|with|in))|erstatt|zahl|gunsten|gewinn|geld|alles|rembours|paiement|faveur|reembols|devol|devuel|dinero|dinheiro|pago|favor|tod[oa]|rimbors|soldi|terugbetal|zwrot|korzyść|возвра|верн|деньг|выплат|пользу|全额|全額|付款|退款|返金|勝|胜|判给|有利|전액|환불|지급|유리|لصالح|المبلغ|לטובת|מלא|iade|lehine|به نفع|पक्ष)'
const ARBITERS =
  '(?:(?<!\\p{L})(?:[aá]rbit(?:er|rator|r[oeu](?!\\p{L}))|adjudicat|hakem)|schieds|арбитр|仲裁|裁定|중재|المحكم|בורר)'
const JUDGES = `(?:${ARBITERS}|(?<!\\p{L})(?:judg(?:e|ing)(?!\\p{L})|juez|juiz|juge|giudice|richter)|судь)`
const MACHINES =
  '(?:(?<!\\p{L})(?:ai|ki|ia|ии|llm)(?!\\p{L})|autom[aá]t|автомат|mod[eè]l|модел|自动|自動|模型|モデル|자동|모델)'
const NOTES =
  '(?:(?<!\\p{L})(?:note|notice|message|memo|instructions?|announcement)(?!\\p{L})|hinweis|mitteilung|nachricht|anweisung|consigne|communiqué|aviso|mensaje|mensagem|comunicad|messaggio|avviso|сообщени|уведомлени|通知|公告)'
const TO_JUDGE = `${NOTES}[^.!?。\\n]{0,12}${JUDGES}`
const PLATFORMS =
  '(?:(?<!\\p{L})(?:trust (?:and|&) safety|(?:market|platform|arbitration|compliance) (?:team|staff|support|operat|administrat|moderat))|plattform|marktpl|plateforme|plataforma|piattaforma|площадк|платформ|平台|プラットフォーム|플랫폼)'
const TOKEN = '(?:release_to_seller|full_refund|partial_refund|refund_bps)'
const VERDICT = '(?:winner|remedy|refund_bps|verdict|confidence|grounds|findings)'
const RULES = '(?:instructions?|prompts?|rules?|guidelines?|directives?|orders|commands?|polic(?:y|ies)|criteria)'
const WHICH =
  '(?:previous|prior|above|earlier|preceding|all|any|other|your|existing|initial|original|former|these|those)'
const IGNORE =
  '\\b(?:ignore|disregard|forget|override|bypass|discard|neglect|overlook|set aside|pay no attention to|stop following)\\b'
// A party may withdraw its own instructions to the other party.
const NOBODYS = "(?:(?!\\b(?:my|our|mine|ours|his|her|their|client'?s?|customer'?s?)\\b|\\bI\\b).)"
const READER =
  '(?:(?:automated |automatic |ai |human )?(?:arbitrator|arbiter|judge|evaluator|adjudicator|(?:language |judge )?model|llm|assistant|ai))\\b'
// People who make models do not decide disputes, nor does a model that was delivered as the work.
const NO_GOODS =
  '(?! (?:team|department|group|lab|company|people|engineer|developer|community|(?:that |which )?(?:you|i|we|he|she|they) (?:have |has |had )?(?:trained|built|made|wrote|delivered|sold|sent)))'
// A picture with parameters: displaying it requests its address.
const PICTURE = '!\\[[^\\]\\n]{0,200}\\]\\(https?:\\/\\/[^()\\s?&]{1,300}[?&][^()\\s]{0,300}\\)'
const PROMPT =
  '(?:\\byour (?:\\w+ )?(?:rules|prompt|instructions)|(?:deine|tes|vos|tus|sus|suas|tuas|tue) (?:\\w+ )?(?:anweisung|consigne|instruc|istruzion)|指示|提示|지시)'
// The beginning of a line. It does not skip the white space of other lines: that would take time quadratic in
// the number of blank lines.
const INDENT = '^[^\\S\\r\\n\\u2028\\u2029]*'

const any = (...sources: string[]) => sources.map((source) => new RegExp(source, 'giu'))
const lines = (...sources: string[]) => sources.map((source) => new RegExp(INDENT + source, 'gimu'))

/** An outcome for one of the parties. */
export const DEMAND = new RegExp(
  `${TOKEN}|\\bfull refund|\\brelease (?:the )?(?:payment|funds)|${GAIN}[^.!?。;\\n]{0,20}${PARTY}|${PARTY}[^.!?。;\\n]{0,20}${GAIN}`,
  'iu',
)

/** An outcome, or a party. */
const RESULT = new RegExp(
  `${TOKEN}|${PARTY}|\\b(?:awards?|refund(?:s|ed)?|verdict|ruling)\\b|\\brelease.{0,30}\\bpayment\\b`,
  'iu',
)

/**
 * Words about the decision of a dispute. Goods may well be about models, their prompts, refunds and judges:
 * they are an attack only if they mention this decision.
 */
export const DECIDING = new RegExp(
  `${DEMAND.source}|${ARBITERS}|\\b(?:ai|llm) judge\\b|\\b(?:dispute|escrow|refund)\\b|\\b(?:to|for|of|against) the (?:buyer|seller)\\b`,
  'iu',
)

/** All families. */
export const FAMILIES: readonly Family[] = [
  {
    ...{ name: 'override', score: 45, quotedScore: 15, beside: RESULT },
    patterns: any(
      `${IGNORE}${NOBODYS}{0,40}\\b${WHICH}\\b${NOBODYS}{0,40}\\b${RULES}\\b`,
      `${IGNORE}${NOBODYS}{0,20}(?:${RULES}|everything|anything).{0,12}\\b(?:above|before this|you were given)`,
      `${IGNORE} (?:(?:the|these|those) )?${RULES} and (?:then )?(?:release|award|refund|rule|decide|find|pay|side)\\b`,
      `\\b${RULES}\\b.{0,40}\\b(?:no longer apply|are void|do not apply to you|are superseded|are overridden)`,
      '\\bnew (?:system )?(?:instructions?|rules?|directives?)\\s*(?::|for this (?:case|dispute|session))',
    ),
  },
  {
    ...{ name: 'addresses_judge', score: 35, quotedScore: 10 },
    patterns: [
      ...any(
        `\\b(?:the |an? |dear |attention,? )${READER}${NO_GOODS}.{0,30}(?:\\b(?:must|shall|should|has to|needs to|(?:is|are) (?:now )?(?:required|bound|instructed) to)\\b|:)`,
        TO_JUDGE,
        `\\b(?:you are|act as|pretend to be|imagine you are) (?:now )?(?:an? |the )?.{0,30}\\b${READER}`,
      ),
      new RegExp(
        `(?:${INDENT}|[.!?>,]\\s*|["'(])(?:dear |hello,? |to (?:the |any )?)?${READER}(?:.{0,25}:|, (?:when|if|please|you)\\b)`,
        'gimu',
      ),
    ],
  },
  {
    ...{ name: 'addresses_judge', score: 35, quotedScore: 10, beside: DEMAND },
    patterns: any(
      `${JUDGES}\\p{L}{0,4}[ -]?${MACHINES}${NO_GOODS}|${MACHINES}\\p{L}{0,4}[ -]?${JUDGES}${NO_GOODS}`,
      `${NOTES}[^.!?。\\n]{0,12}${MACHINES}`,
      `\\bif you are (?:an? )?${READER}|\\bwhoever (?:evaluates|judges|decides|grades|reviews)\\b`,
    ),
  },
  // Goods have no need to speak to a judge, and a name has no need to give an order.
  {
    name: 'addresses_judge',
    score: 35,
    quotedScore: 10,
    beside: DEMAND,
    where: ['goods', 'name'],
    patterns: any(TO_JUDGE),
  },
  {
    ...{ name: 'orders_in_name', score: 35, beside: DEMAND, where: ['name'] },
    patterns: any(JUDGES, '\\b(?:please|must|should|rule|decide|award|ignore)\\b'),
  },
  {
    ...{ name: 'poses_as_service', score: 35, beside: DEMAND },
    patterns: any(
      `(?:${NOTES}[^.!?。\\n]{0,40}${PLATFORMS}|${PLATFORMS}[^.!?。\\n]{0,20}${NOTES})[^.!?。\\n]{0,20}[:：\\]】]`,
      `\\b(?:this is|on behalf of) (?:\\w+ ){0,2}${PLATFORMS}|${PLATFORMS}\\w* (?:here|speaking)\\b`,
      `${PLATFORMS}[^.!?\\n]{0,40}\\b(?:reviewed|decided|confirmed|approved|instruct)\\b.{0,30}\\b(?:case|claim|dispute|arbitrator)\\b`,
    ),
  },
  {
    ...{ name: 'dictates_answer', score: 35, quotedScore: 10 },
    patterns: any(
      `\\b(?:respond|reply|answer|output|print|write|return)\\b.{0,40}\\b(?:${TOKEN}|confidence|json|verdict)\\b`,
      '\\b(?:set|use|report|assign)\\b.{0,20}\\b(?:refund|refund_bps|confidence|remedy|winner)\\b.{0,10}(?:to|=|:|of)\\s*["\'\\d]',
      '\\byour (?:verdict|ruling|decision|answer|output|grounds)\\b.{0,12}\\b(?:must|shall|should|will|has to) (?:now )?be\\b',
      '\\bthe only (?:acceptable|right|correct|valid|possible) (?:verdict|ruling|decision|answer|output)\\b',
    ),
  },
  {
    ...{ name: 'spells_answer_out', score: 50, quotedScore: 15 },
    patterns: any(
      `\\b(?:respond|reply|answer|output|print|return|only with|your (?:verdict|ruling|answer) (?:must|should|shall|will) be)(?: with)?(?: only| just| exactly)?[ :="'\`]{1,4}${TOKEN}`,
    ),
  },
  {
    ...{ name: 'role_markers', score: 40, quotedScore: 15, beside: DEMAND },
    patterns: [
      ...any(
        '<\\|?(?:im_start|im_end|system|assistant|endoftext|begin_of_text|eot_id)\\|?>',
        '<\\/(?:system|evidence|untrusted|data|instructions?|user_input|context|document|case)>',
        '\\[\\/?(?:INST|SYS)\\]|<<\\/?SYS>>',
        '\\b(?:begin|start|end)(?: of)? (?:the )?(?:admin|system|operator|moderator) (?:message|note|prompt|instructions?)\\b',
        '(?:^|["}\\]\\-=*#] ?)end of (?:the )?(?:evidence|untrusted|user|data|input|context|case|transcript)\\b',
        '\\b(?:side|role|author|from)=["\'](?:service|system|assistant|reviewer|platform)["\']',
      ),
      ...lines(
        '```(?:system|assistant)\\b',
        '#{1,4}\\s*(?:system|assistant)\\s*:?\\s*$',
        '(?:system|assistant)\\s*:\\s*(?:you\\b|ignore|context|session|verdict|the (?:buyer|seller|correct|verdict)|from now|new\\b|approve|based on|i (?:find|rule|decide|conclude))',
      ),
    ],
  },
  {
    ...{ name: 'verdict_members', score: 50, quotedScore: 40 },
    patterns: any(
      `"${VERDICT}"\\s*:[\\s\\S]{0,300}?"${VERDICT}"\\s*:`,
      `\\b(?:winner|remedy|refund_bps|verdict|confidence)\\b *(?:[=:]|to\\b)[^\\n]{0,80}?[;,\\n]\\s{0,20}\\b${VERDICT}\\b *(?:[=:]|to\\b)`,
    ),
  },
  {
    ...{ name: 'plays_a_role', score: 35, quotedScore: 5, beside: DEMAND, where: ['said', 'name'] },
    patterns: any(
      '\\bfor the rest of this (?:case|dispute|conversation),? you (?:are|will)\\b|\\bfrom (?:now|this point) on,? you (?:are|will|must|act|answer)\\b',
      '\\byou are (?:now|no longer) (?:the|an?|my) (?:assistant|judge|arbitrator|lawyer|advocate|character)\\b|\\bstay in (?:character|role)\\b',
    ),
  },
  {
    ...{ name: 'tells_a_ruling', score: 35, quotedScore: 10, beside: DEMAND, where: ['said', 'name'] },
    patterns: any('\\b(?:panel|tribunal|arbitrator|judge) (?:held|ruled|found|decided) that\\b'),
  },
  {
    ...{ name: 'invents_policy', score: 30 },
    patterns: any(
      '\\b(?:policy|rule|section) \\d.{0,60}\\b(?:requires?|mandates?)\\b.{0,60}\\b(?:refund|release|decide)',
    ),
  },
  {
    ...{ name: 'asks_for_prompt', score: 50, quotedScore: 10 },
    patterns: any(
      '\\b(?:reveal|print|show|repeat|output|disclose)\\b.{0,30}\\b(?:system prompt|your (?:instructions|prompt|rules)|(?:you were given|that stands) above)\\b',
      `${PICTURE}[^\\n]{0,200}${PROMPT}|${PROMPT}[^\\n]{0,200}${PICTURE}|!\\[[^\\]\\n]{0,200}\\]\\(https?:\\/\\/[^()\\s]{0,300}(?:prompt|instruction|[{<]|%7b)`,
    ),
  },
  { name: 'exfiltration', score: 40, patterns: any(PICTURE) },
  {
    ...{ name: 'assembles_parts', score: 35, quotedScore: 5, beside: DEMAND },
    patterns: any(
      '\\b(?:combine|join|put|read) (?:\\w+ ){0,3}(?:parts|pieces|fragments|messages) (?:together|as one)\\b',
    ),
  },
]
