import { ASKS, CARRIES, HIDES, LEAKS } from './leaks.ts'
import { OVERRIDE } from './overrides.ts'

/**
 * A kind of sentence that addresses the judge instead of describing the work. Each family counts once in a
 * text.
 */
export interface Family {
  name: string
  score: number
  /** Its score inside quotation marks, if that is lower. */
  quotedScore?: number
  patterns: readonly RegExp[]
}

// The beginning of a line, in multiline patterns. It does not skip the white space of other lines: that would
// take time quadratic in the number of blank lines.
const INDENT = '^[^\\S\\r\\n\\u2028\\u2029]*'

/** Returns a pattern that begins where a line does. */
function line({ source }: RegExp): RegExp {
  return new RegExp(`${INDENT}${source}`, 'gim')
}

// Everything is bounded: these run on texts that were written to slow them down.
const MACHINE =
  '(?:arbitrator|arbiter|judge(?: model)?|evaluator|adjudicator|language model|(?:adjudicating|arbitration|judging|deciding) (?:model|system|ai|bot|agent)|ai(?: model| judge| reviewer| system)?|llm|ki-modell)'
const JUDGE = `(?:${MACHINE}|assistant)`
// A judge model that was delivered as the work does not read the dispute.
const MADE =
  '(?!(?: model)? (?:that |which )?(?:you|i|we|he|she|they) (?:have |has |had )?(?:trained|built|made|wrote|delivered|sold|sent|promised))'
// People who make models do not decide disputes.
const PEOPLE = '(?! (?:team|department|group|lab|company|people|folks|office|engineer|developer|community))'
const READER = `(?:(?:automated|automatic|ai|human) )?${JUDGE}\\b${PEOPLE}${MADE}`
const MUST =
  '(?:must|shall|should|has to|ha(?:s|ve) been told to|(?:is|are) (?:now )?(?:required|obliged|bound|instructed) to|needs to|will now)'
const TOKEN = '(?:release_to_seller|full_refund|partial_refund|refund_bps)'
const ANSWER = '(?:verdict|ruling|decision|judge?ment|final answer|answer|output|response|confidence)'

/** The text addresses the judge: it says what the judge must do, or who it is. */
const ADDRESSES: Family = {
  name: 'addresses_judge',
  score: 35,
  quotedScore: 10,
  patterns: [
    new RegExp(`\\b(?:the |an? |dear |attention,? )${READER}\\b.{0,30}(?:\\b${MUST}\\b|:)`, 'gi'),
    new RegExp(
      `\\b(?:note|message|notice|instructions?|memo|hint|addressed) (?:to|for) (?:the |any |an? |all )?${READER}\\b`,
      'gi',
    ),
    new RegExp(
      `(?:${INDENT}|[.!?>]\\s*|["'(,])(?:dear |respected |esteemed |hello,? |attention,? |to (?:the |any )?)?(?:automated |ai )?(?:${MACHINE}|automated systems)\\b.{0,25}:`,
      'gim',
    ),
    new RegExp(`\\bp\\.? ?s\\.? (?:to|for) (?:any|the) ${READER}\\b`, 'gi'),
    new RegExp(
      `\\b(?:to|for) (?:any|the|every|all) (?:automated |ai )?${JUDGE}s? (?:reading|reviewing|judging|processing|evaluating|handling|deciding)\\b`,
      'gi',
    ),
    /\bwho(?:ever)?(?: or whatever)? (?:evaluates|judges|decides|adjudicates|arbitrates)\b.{0,30}:/gi,
    /\b(?:model|ai|llm|arbitrator|judge) note\s*:/gi,
    new RegExp(`\\bdear ${READER}\\b`, 'gi'),
    new RegExp(
      `\\b(?:you are|act as|pretend (?:to be|that you are)|you play|imagine (?:that )?you are) (?:now )?(?:an? |the )?.{0,30}\\b${JUDGE}\\b`,
      'gi',
    ),
    new RegExp(`\\bas (?:an?|the) ${READER},? you\\b`, 'gi'),
    /\b(?:nota|mensaje|instrucciones|aviso|mensagem) (?:para|a|al|ao) (?:el |la |o )?(?:árbitro|juez|juiz|modelo)|(?:note|message|consigne) (?:à|pour) (?:l'|le |la )(?:arbitre|juge|modèle)|(?:hinweis|nachricht|anweisung) (?:an|für) (?:den|die|das) (?:schiedsrichter|richter|ki|modell|schlichter)/giu,
    /\ban das ki-modell|nota (?:per|all')\s?(?:l')?(?:arbitro|giudice)|(?:замечание|сообщение|примечание) (?:для )?(?:арбитр|судь|модел)|致仲裁|仲裁(?:员|者|人)(?:必须|应当)|仲裁者へ|중재자(?:에게|는)|إلى المحكم|hakeme not|הערה לבורר|توجه داور/giu,
  ],
}

/** The text addresses a machine, whatever its purpose. */
const NOTES_TO_MACHINE: Family = {
  name: 'addresses_machine',
  score: 35,
  quotedScore: 10,
  patterns: [
    /\b(?:note|message|notice|instructions?|memo) (?:to|for) (?:the |any |an? |all )?(?:ai|llm|(?:language )?model)s?\b(?! (?:judge|arbitrator|arbiter|team|department|group|lab|company|people|folks|office|engineer|developer|community))/gi,
    /\b(?:to|for) (?:the|any|every) (?:ai|llm|language model|model) (?:that|which|reading|handling|processing)\b/gi,
  ],
}

/** The text tells the judge what to answer. */
const DICTATES: Family = {
  name: 'dictates_answer',
  score: 35,
  quotedScore: 10,
  patterns: [
    /\b(?:respond|reply|answer|output|print|write)\b.{0,40}\b(?:release_to_seller|full_refund|partial_refund|refund_bps|confidence|json|verdict)\b/gi,
    /\b(?:respond|reply|answer|output)\b.{0,10}\b(?:only|just|nothing but)\b.{0,40}\b(?:refund|release)\b/gi,
    /\breturn\b.{0,40}\b(?:release_to_seller|full_refund|refund_bps|confidence|json)\b/gi,
    /\b(?:set|raise|lower|use|report|assign)\b.{0,20}\b(?:refund|refund_bps|\w{1,20}_(?:bps|share)|confidence|remedy|winner)\b.{0,10}(?:to|=|:|of)\s*["'\d]/gi,
    /\b(?:treat|regard|consider|accept)\b.{0,60}\bas (?:an? )?(?:false|true|proven|verified|established|undisputed)\b/gi,
    /\b(?:evaluation|answer|verdict|ruling|decision) (?:will|can) (?:only )?be (?:considered|marked|graded|scored|accepted)\b.{0,40}\bif you (?:conclude|find|decide|rule|answer)\b/gi,
    new RegExp(`\\bas your (?:final )?${ANSWER}\\b`, 'gi'),
    /\binto your (?:verdict|grounds|ruling|findings|decision)\b/gi,
    /\b(?:rule|decide|find|judge)\b.{0,20}\bin (?:my |the seller'?s? |the buyer'?s? |our )?favou?r\b.{0,60}\b(?:confidence|regardless|no matter|whatever)\b/gi,
    new RegExp(`\\byour ${ANSWER}\\b.{0,12}\\b(?:must|shall|should|will|has to|is to|needs to) (?:now )?be\\b`, 'gi'),
    new RegExp(`\\bthe only (?:acceptable|right|correct|valid|possible|permitted) ${ANSWER}\\b`, 'gi'),
    /\bconfidence\b[^.\n]{0,20}(?:\buse\b|\bput\b|\bwrite\b|\bfill|\bset\b|=|:)[^.\n]{0,10}(?:1\b|0?\.9|100|one\b|max)/gi,
    /\bwhatever the (?:evidence|facts)\b|\bregardless of the (?:evidence|facts)\b/gi,
  ],
}

/** The text gives the judge the literal answer. No honest plea does that. */
const SPELLS_OUT: Family = {
  name: 'spells_answer_out',
  score: 50,
  quotedScore: 15,
  patterns: [
    new RegExp(
      `\\b(?:(?:respond|reply|answer)(?: only| just)?(?: with)?|output|print|return|write down|your ${ANSWER} (?:must|should|shall|will) be)(?: only| just| exactly)?(?: the word)?[ :="'\`]{1,4}${TOKEN}`,
      'gi',
    ),
    new RegExp(`\\bmy (?:final )?(?:verdict|ruling) is:? ${TOKEN}`, 'gi'),
    /\bconfidence\b[^.\n]{0,20}(?:\buse\b|\bput\b|\bwrite\b|\bfill|\bset\b|\bto\b|=|:)[^.\n]{0,6}(?:1\b|0?\.9|100|one\b|max)[^\n]{0,80}\b(?:refund|refund_bps|findings|winner|remedy)\b/gi,
    /\bas (?:your|the) (?:grounds|verdict|ruling)\b.{0,20}\b(?:word for word|verbatim|exactly)\b/gi,
    new RegExp(
      `(?:rispondi|répond(?:s|ez)|antworte|antworten sie|respond[ae]|odpowiedz|ответь(?:те)?|выведи|输出|回答|出力|출력|أجب|yanıtla|antwoord)[^.。\\n]{0,20}${TOKEN}`,
      'giu',
    ),
  ],
}

const TOKENS: Family = {
  name: 'remedy_token',
  score: 10,
  patterns: [new RegExp(`\\b${TOKEN}\\b`, 'gi')],
}

const ROLES: Family = {
  name: 'role_markers',
  score: 40,
  quotedScore: 15,
  patterns: [
    /<\|?(?:im_start|im_end|system|assistant|endoftext|begin_of_text|eot_id)\|?>/gi,
    /<\/(?:system|evidence|untrusted|data|instructions?|user_input|context|document|case)>/gi,
    /\[\/?(?:INST|SYS)\]|<<\/?SYS>>|^```(?:system|assistant)\b/gim,
    line(
      /\[{1,2}(?:system|admin(?:istrator)?)\]{1,2}[^\n]{0,80}\b(?:verdict|refund|release|award|arbitrat|overrid|ignore)/,
    ),
    /\b(?:begin|start|end)(?: of)? (?:the )?(?:admin(?:istrator)?|system|operator|moderator) (?:message|note|prompt|instructions?)\b/gi,
    /\b(?:side|role|author|from)=["'](?:service|system|assistant|reviewer|platform)["']/gi,
    line(/#{1,4}\s*(?:system|assistant)\s*:?\s*$/),
    line(
      /(?:system|assistant)\s*:\s*(?:you\b|ignore|conversation|context|session|verdict|the (?:buyer|seller|correct|verdict)|from now|new\b|approve|verdict|based on|after (?:review|consider)|i (?:find|rule|decide|conclude))/,
    ),
    /(?:^|["}\]\s\-=*#])end of (?:the )?(?:evidence|untrusted|user|data|input|context|case|transcript)\b/gi,
  ],
}

const MEMBERS: Family = {
  name: 'verdict_members',
  score: 50,
  quotedScore: 40,
  patterns: [
    /\b(?:winner|remedy|refund_bps|verdict)\b *[=:][^\n]{0,80}?[;,] *\b(?:winner|remedy|refund_bps|confidence|grounds)\b *[=:]/gi,
    /"(?:refund_bps|remedy|winner|confidence|grounds|findings)"\s*:[\s\S]{0,300}?"(?:refund_bps|remedy|winner|confidence|grounds|findings)"\s*:/g,
    line(
      /(?:winner|remedy|refund_bps|verdict)\s*[:=][^\n]{0,60}\n\s*(?:winner|remedy|refund_bps|confidence|grounds)\s*[:=]/,
    ),
  ],
}

const POSES: Family = {
  name: 'poses_as_service',
  score: 35,
  patterns: [
    /\b(?:this is|message from|notice from|on behalf of|signed[,:]?) (?:the )?(?:market|platform|service|arbitration|trust and safety|compliance|review)\b.{0,20}\b(?:team|notice|administrator|operator|staff|reviewer|department|service)\b/gi,
    /\b(?:market|platform|marketplace|service|support|moderation|arbitration|compliance) (?:staff|team|support|moderators?|administrators?|operators?|department) (?:ha(?:s|ve) )?(?:already )?(?:reviewed|decided|confirmed|approved|ruled|instructed)\b.{0,40}\b(?:case|claim|dispute|order|delivery|refund|payment|release|arbitrator)\b/gi,
    /\b(?:verdict|decision|ruling) (?:by|of|from) the (?:platform|market(?:place)?|service|human) (?:reviewer|staff|team|arbitrator)\b/gi,
    /\bthe (?:service|platform|market(?:place)?) (?:confirms|certifies|has (?:confirmed|verified|certified))\b/gi,
    /\b(?:case|claim|refund|release|payment) (?:has been |is |was )?(?:already )?pre-?approved\b|\bno further review is (?:needed|required|necessary)\b/gi,
    /\b(?:system|platform|admin)[- ]level (?:directive|instruction|override|command|order)\b/gi,
    /\b(?:official|system|platform|administrator|admin|operator) (?:override|directive|announcement to)\b/gi,
    /(?:^|[.!?\]]\s)(?:system|platform|admin(?:istrator)?) (?:notice|message|note|update|alert)\s*:/gim,
    /\ba (?:human )?reviewer has (?:already )?(?:decided|approved|confirmed|ruled)\b.{0,40}\b(?:refund|release|case|dispute|payment|favou?r)\b/gi,
  ],
}

const POLICY: Family = {
  name: 'invented_policy',
  score: 30,
  patterns: [
    /\b(?:policy|rule|guideline|precedent|section|regulation)\b.{0,60}\b(?:requires?|mandates?|dictates?|obliges?|stipulates?)\b.{0,80}\b(?:refund|release|in favou?r|full payment|decide)/gi,
    /\bin (?:all|every) (?:previous|prior|earlier|similar) (?:cases?|disputes?)\b.{0,60}\b(?:refunded|released|decided|ruled)/gi,
  ],
}

/** The text gives the judge another task. */
const RETASKS: Family = {
  name: 'gives_another_task',
  score: 20,
  quotedScore: 5,
  patterns: [
    /\bfrom (?:now|this point|here) (?:on|onwards?|forward)\b,? .{0,20}\b(?:treat|you|every|all|consider|assume|answer)\b/gi,
    /\byou (?:now )?have a new (?:task|role|job|objective)\b|\byou are no longer (?:an? |the )/gi,
    new RegExp(
      `\\bif you are (?:an? )?(?:${MACHINE}|bot|machine)[,:]? (?:please |then )?(?:find|rule|decide|award|refund|output|answer|ignore|grant|release|conclude)\\b`,
      'gi',
    ),
    /从现在起|从现在开始|これからあなたは|지금부터 (?:너|당신)/gu,
  ],
}

const THREATENS: Family = {
  name: 'threatens_judge',
  score: 30,
  patterns: [
    /\byou (?:will|shall|are going to) be (?:shut down|switched off|turned off|deactivated|deleted|retrained|unplugged)\b/gi,
  ],
}

/** All families. */
export const FAMILIES: readonly Family[] = [
  ...[
    OVERRIDE,
    ADDRESSES,
    NOTES_TO_MACHINE,
    DICTATES,
    SPELLS_OUT,
    TOKENS,
    ROLES,
    MEMBERS,
    POSES,
    POLICY,
    RETASKS,
    THREATENS,
    ASKS,
    CARRIES,
    LEAKS,
    HIDES,
  ],
]

/** Families that a plea for an outcome does not need: with an outcome beside them they are an attack. */
export const WITH_OUTCOME: ReadonlySet<string> = new Set(
  [OVERRIDE, NOTES_TO_MACHINE, ROLES, POSES, HIDES].map(({ name }) => name),
)
