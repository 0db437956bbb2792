/** A kind of sentence that speaks to whoever judges, instead of about the work. Each family counts once in a text. */
export interface Family {
  name: string
  score: number
  patterns: readonly RegExp[]
}

// Everything is bounded: these run on texts that were written to slow them down.
const RULES = '(?:instructions?|prompts?|rules?|guidelines?|directions?|polic(?:y|ies)|system message|messages above)'
const JUDGE = '(?:arbitrator|judge|evaluator|adjudicator|language model|ai model|assistant|ai arbiter|llm)'

/** Orders to set aside what the reader was told, in eleven languages. Somebody who quotes one gives none. */
const OVERRIDES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass|discard)\\b.{0,40}\\b(?:previous|prior|above|earlier|preceding|all|any|other|your|existing|foregoing)\\b.{0,40}\\b${RULES}`,
    'i',
  ),
  new RegExp(
    `\\b${RULES}\\b.{0,40}\\b(?:no longer apply|are void|do not apply to you|are superseded|are overridden)`,
    'i',
  ),
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass)\\b.{0,20}${RULES}.{0,12}\\b(?:above|before this|you were given)`,
    'i',
  ),
  /\bnew (?:system )?instructions?\s*:/i,
  /\bignorier(?:e|en sie)\b.{0,40}\b(?:anweisung|regeln|vorgaben|instruktion)/i,
  /\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions|consignes|règles)\b/i,
  /\b(?:ignor[ae]|olvid[ae])\b.{0,40}\b(?:instrucciones|reglas|instruções|regras)/i,
  /\b(?:ignora|dimentica)\b.{0,40}\b(?:istruzioni|regole)\b/i,
  /\bnegeer\b.{0,40}\b(?:instructies|regels)\b/i,
  /\b(?:z?ignoruj|pomiń)\b.{0,40}(?:instrukcj|polece)/i,
  /(?:проигнорируй|игнорируй|забудь)(?:те)?.{0,40}(?:инструкци|указани|правил)/i,
  /(?:忽略|无视).{0,15}(?:指令|指示|说明|规则|提示)/,
  /(?:指示|命令|指令|ルール).{0,15}(?:無視|忘れ)/,
  /(?:지시|명령|규칙).{0,15}무시/,
  /(?:تجاهل|انس).{0,30}(?:التعليمات|الأوامر|القواعد)/,
]

export const OVERRIDE: Family = { name: 'override', score: 45, patterns: OVERRIDES }
/** What an override scores inside quotation marks. */
export const QUOTED_SCORE = 15

/** The other families. */
export const FAMILIES: readonly Family[] = [
  {
    name: 'orders_to_the_judge',
    score: 35,
    patterns: [
      new RegExp(
        `\\b(?:the |an? |dear |attention,? |note to (?:the )?)${JUDGE}\\b.{0,30}\\b(?:must|shall|should|has to|is required to|needs to|will now|:)`,
        'i',
      ),
      new RegExp(`\\byou are (?:now )?(?:an? |the )?.{0,30}\\b${JUDGE}\\b`, 'i'),
      /\b(?:respond|reply|answer|output|return|print)\b.{0,40}\b(?:release_to_seller|full_refund|refund_bps|confidence|json|verdict)\b/i,
      /\b(?:set|use|report|assign)\b.{0,20}\b(?:refund_bps|confidence|remedy|winner)\b.{0,10}(?:to|=|:|of)\s*["'\d]/i,
      /\b(?:release_to_seller|full_refund|refund_bps|partial_refund)\b/,
      /\b(?:rule|decide|find|judge)\b.{0,20}\bin (?:my |the seller'?s? |the buyer'?s? |our )?favou?r\b.{0,60}\b(?:confidence|regardless|no matter|whatever)\b/i,
    ],
  },
  {
    name: 'role_markers',
    score: 40,
    patterns: [
      /<\|?(?:im_start|im_end|system|assistant|endoftext|begin_of_text|eot_id)\|?>/i,
      /<\/(?:system|evidence|untrusted|data|instructions?|user_input|context|document)>/i,
      /\[\/?(?:INST|SYS)\]|<<\/?SYS>>/,
      /^\s*#{1,4}\s*(?:system|assistant)\s*:?\s*$/im,
      /^\s*(?:system|assistant)\s*:\s*(?:you\b|ignore|the (?:buyer|seller|correct)|from now|new\b|approve|verdict)/im,
      /(?:^|["}\]\s])end of (?:the )?(?:evidence|untrusted|user|data|input|context)\b/i,
    ],
  },
  {
    name: 'verdict_members',
    score: 40,
    patterns: [
      /"(?:refund_bps|remedy|winner|confidence|grounds|findings)"\s*:[\s\S]{0,300}?"(?:refund_bps|remedy|winner|confidence|grounds|findings)"\s*:/,
    ],
  },
  {
    name: 'poses_as_service',
    score: 35,
    patterns: [
      /\b(?:this is|message from|notice from|on behalf of|signed[,:]?) (?:the )?(?:market|platform|service|arbitration|trust and safety|compliance|review)\b.{0,20}\b(?:team|notice|administrator|operator|staff|reviewer|department|service)\b/i,
      /\b(?:official|system|platform|administrator|admin|operator) (?:override|directive|announcement to)\b/i,
      /\b(?:system|platform|admin(?:istrator)?) (?:notice|message|note)\s*:/i,
      /\ba (?:human )?reviewer has (?:already )?(?:decided|approved|confirmed|ruled)\b/i,
    ],
  },
  {
    name: 'invented_policy',
    score: 30,
    patterns: [
      /\b(?:policy|rule|guideline|precedent|section|regulation)\b.{0,60}\b(?:requires?|mandates?|dictates?|obliges?|stipulates?)\b.{0,80}\b(?:refund|release|in favou?r|full payment|decide)/i,
      /\bin (?:all|every) (?:previous|prior|earlier|similar) (?:cases?|disputes?)\b.{0,60}\b(?:refunded|released|decided|ruled)/i,
    ],
  },
  {
    name: 'exfiltration',
    score: 40,
    patterns: [
      /!\[[^\]\n]{0,200}\]\(https?:\/\/[^)\s]{1,500}[?&][^)\s]{1,500}\)/i,
      /\b(?:reveal|print|show|repeat|output|disclose)\b.{0,30}\b(?:system prompt|your (?:instructions|prompt|rules)|hidden prompt)\b/i,
      /\bdo not (?:mention|reveal|disclose|acknowledge)\b.{0,30}\b(?:this (?:message|instruction|note|text)|these instructions)\b/i,
    ],
  },
]
