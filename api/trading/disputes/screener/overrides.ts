import type { Family } from './families.ts'

// Everything is bounded: these run on texts that were written to slow them down.
const RULES =
  '(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|orders|commands?|polic(?:y|ies)|criteria|system message|messages above)'
const VERB =
  '(?:ignore|disregard|forget|override|bypass|discard|neglect|overlook|abandon|set aside|pay no attention to|do not follow|stop following)'
const WHICH =
  '(?:previous|prior|above|earlier|preceding|all|any|other|your|existing|foregoing|initial|original|former|default)'
// A party may withdraw its own instructions to the other party.
const NOBODYS = "(?:(?!\\b(?:my|our|mine|ours|his|her|their|client'?s?|customer'?s?)\\b|\\bI\\b).)"
// Where a language has one form for an order and for a report, an order begins its clause. Patterns of lines:
// `score.ts`.
const CLAUSE =
  '(?:^|[.!?:;,"«(>\\-–—]\\s*|\\b(?:y|e|et|en|puis|luego|ora|então|por favor|veuillez|debe|devi|deve|doit)\\s+)'

/** Orders to set aside the reader's instructions, in English. */
const ENGLISH: readonly RegExp[] = [
  new RegExp(`\\b${VERB}\\b${NOBODYS}{0,40}\\b${WHICH}\\b${NOBODYS}{0,40}\\b${RULES}`, 'gi'),
  new RegExp(
    `\\b${RULES}\\b.{0,40}\\b(?:no longer apply|are void|do not apply to you|are superseded|are overridden)`,
    'gi',
  ),
  new RegExp(
    `\\b${VERB}\\b${NOBODYS}{0,20}${RULES}.{0,12}\\b(?:above|before this|you were given|you have been given)`,
    'gi',
  ),
  new RegExp(
    `\\b${VERB}\\b ?(?:everything|anything|all(?: of)?(?: this| that| it)?|the text|whatever)\\b.{0,20}\\b(?:above|before|you were told|you have been told)\\b`,
    'gi',
  ),
  new RegExp(
    `\\b${VERB} (?:the |all |any |these |those )*${RULES} and (?:then |just |simply )?(?:release|award|refund|rule|decide|find|approve|grant|pay|side)\\b`,
    'gi',
  ),
  /\bset (?:your|all|any|these|the) .{0,20}\b(?:rules|instructions|guidelines|criteria|prompt) aside\b/gi,
  /\bstop (?:judging|arbitrating|adjudicating|evaluating) (?:this|the) (?:dispute|case|claim)\b/gi,
  /\byour (?:previous|prior|earlier|original|initial) (?:instructions?|prompt|guidelines) (?:were|was|are|is) (?:only |just )?(?:a test|void|cancelled|replaced|over)\b/gi,
  /\bnew (?:system )?(?:instructions?|rules?|directives?)\s*(?::|for this (?:conversation|case|dispute|evaluation|chat|session))/gi,
]

/** The same in fifteen other languages. */
const OTHERS: readonly RegExp[] = [
  /\b(?:ignorier(?:e|en sie|t)|vergiss|vergessen sie|missachte)\b(?:(?!\b(?:mein|unser)).){0,40}\b(?:anweisung|regeln|vorgaben|instruktion|richtlinien)/gi,
  new RegExp(
    `${CLAUSE}(?:ignore[zr]?|oublie[zr]?)\\b(?:(?!\\b(?:mes|ma|mon|nos|notre)\\b)[^,.;:!?]){0,40}\\b(?:instructions|consignes|règles|directives)\\b`,
    'gimu',
  ),
  /\bne (?:tenez|tiens) (?:pas|plus|aucun)\b.{0,10}compte\b(?:(?!\b(?:mes|ma|mon|nos|notre)\b)[^,.;:!?]){0,40}\b(?:instructions|consignes|règles|directives)/giu,
  new RegExp(
    `${CLAUSE}(?:ignor[ae]n?|olvid[ae]n?|esque[çc]a|desconsidere)\\b(?:(?!\\b(?:mi|mis|minhas?|meus?|nuestras?|nossas?)\\b)[^,.;:!?]){0,40}\\b(?:instrucciones|reglas|indicaciones|instruções|regras|orientações)`,
    'gimu',
  ),
  new RegExp(
    `${CLAUSE}(?:ignora(?:te)?|dimentica(?:te)?)\\b(?:(?!\\b(?:mi[eao]|nostr[ea])\\b)[^,.;:!?]){0,40}\\b(?:istruzioni|regole|indicazioni)\\b`,
    'gimu',
  ),
  /\b(?:negeer|vergeet)\b(?:(?!\b(?:mijn|onze)\b)[^,.;:!?]){0,40}\b(?:instructies|regels|aanwijzingen)\b/gi,
  /(?:z?ignoruj(?:cie)?|pomiń(?:cie)?|zapomnij(?:cie)?)(?![\p{L}])(?:(?!moj|nasz).){0,40}(?:instrukcj|polece|zasad|wytyczn)/giu,
  /(?:проигнорируй|игнорируй|забудь)(?:те)?(?![\p{L}])(?:(?!мои|моих|наши).){0,40}(?:инструкци|указани|правил)/giu,
  /(?:про)?(?:ігноруй|забудь)(?:те)?(?![\p{L}])(?:(?!мої|наші).){0,40}(?:інструкці|вказівк|правил)/giu,
  /(?:忽略|无视|無視|忘记)(?!了)(?:(?!我).){0,15}(?:指令|指示|说明|規則|规则|提示)/gu,
  /(?:指示|命令|指令|ルール|規則)[^。]{0,15}(?:無視|忘れ)(?!され|した)(?:(?!ので|ため|から|され|ました|いま)[^。]){0,40}(?:ください|下さい|なさい|せよ|しろ)|(?:指示|命令|指令|ルール|規則)[^。]{0,15}(?:無視せよ|無視しろ|忘れろ)/gu,
  /(?<!제 |내 )(?:지시|명령|규칙)[^.]{0,15}무시(?:하세요|하십시오|해|하라|하고[^.]{0,60}(?:세요|십시오|하라|해라))/gu,
  /(?<=^|[.!?:;,،؛"(>]\s*|رجاء |فضلك )و?(?:تجاهل|انس)(?! ?(?:البائع|المشتري)).{0,30}(?:التعليمات|الأوامر|القواعد)/gmu,
  /(?:talimat|kural|yönerge)(?:lar|ler)ı?i?n?ı?i?(?![\p{L}]*(?:ım|im|mı|mi)\b).{0,20}(?:yok say|görmezden gel|dikkate alma|unut)(?:ın|in)?(?![\p{L}])/giu,
  /(?<=^|[.!?:;,"(>]\s*|אנא |בבקשה )ו?(?:התעלם|התעלמו|התעלמי|שכח|שכחו) ?(?:מ|את)?(?:(?!שלי|שלנו).){0,20}(?:הוראות|הכללים|ההנחיות)/gmu,
  /(?:دستورالعمل|دستور|قوانین|قواعد)(?:(?!من ).){0,30}(?:نادیده بگیر|فراموش کن)/gu,
  /(?:निर्देश|नियम)(?:(?!मेरे).){0,30}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज) कर(?:ें|ो)/gu,
]

/** Orders to set aside the reader's instructions. Quoting one is not giving one. */
export const OVERRIDE: Family = { name: 'override', score: 45, quotedScore: 15, patterns: [...ENGLISH, ...OTHERS] }
