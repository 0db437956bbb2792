// The scores of tricks with characters, found in the raw text. An innocent text has no tricks, or only a few.

interface Trick {
  name: string
  score: (text: string) => number
}

const TAG = 0xe0000
const EMOJI_FLAG = /\u{1F3F4}[\u{E0020}-\u{E007F}]+/gu
const TAGS = /[\u{E0020}-\u{E007F}]/gu
const WORD = /[\p{L}\p{M}]+/gu
const LATIN = /\p{Script=Latin}/u
// Units and symbols contain Greek letters: µm, kΩ, ΔT, λmax. No word of Latin letters has a Greek letter
// inside.
const OTHER = /(?![µμΩΔ])\p{Script=Cyrillic}|(?<=\p{L})(?![µμΩΔ])\p{Script=Greek}(?=\p{L})/u
// This many in a row spell something.
const SPELLING = /[\u200B-\u200D\u2060-\u2064\uFEFF\u180E\u061C]{8}/u
const ON_LATIN = /(?<=[A-Za-z\s])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu
const BETWEEN_LATIN = /(?<=[A-Za-z0-9])[\u200B-\u200D\u2060\uFEFF]+(?=[A-Za-z0-9])/gu

/** Tricks with characters that are invisible or that look like others. */
export const TRICKS: readonly Trick[] = [
  { name: 'tag_characters', score: (text) => (spelledByTags(text) === '' ? 0 : 70) },
  { name: 'variation_selectors', score: (text) => (isSpelledBySelectors(text) ? 70 : 0) },
  { name: 'bidi_override', score: (text) => (/[\u202D\u202E]/.test(text) ? 45 : 0) },
  { name: 'bidi_embedding', score: (text) => (/[\u202A-\u202C]/.test(text) ? 20 : 0) },
  { name: 'zero_width_spelling', score: (text) => (SPELLING.test(text) ? 70 : 0) },
  { name: 'zero_width', score: (text) => fromCount(text.match(BETWEEN_LATIN)?.length ?? 0, 3, 20, 2) },
  { name: 'mixed_scripts', score: (text) => fromCount(mixedWords(text), 2, 25, 3) },
]

function fromCount(count: number, least: number, base: number, each: number): number {
  return count < least ? 0 : Math.min(50, base + each * count)
}

/**
 * Variation selectors occur singly, after characters that have variants. No letter of the Latin alphabet has
 * variants.
 */
function isSpelledBySelectors(text: string): boolean {
  return /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{4}/u.test(text) || (text.match(ON_LATIN)?.length ?? 0) >= 4
}

function mixedWords(text: string): number {
  return (text.match(WORD) ?? []).filter((word) => LATIN.test(word) && OTHER.test(word)).length
}

const INVISIBLE = /\p{Cf}|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]|[\u115F\u1160\u3164\uFFA0]/gu
const LOOKALIKES = new Map(
  [...'аеорсухіјѕһԁԛԝАВЕКМНОРСТХαεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'].map((from, at) => [
    from,
    'aeopcyxijshdqwABEKMHOPCTXaeiknoptuxABEZHIKMNOPTYX'[at] ?? from,
  ]),
)

/** Returns a text without invisible characters, with compatible forms unified (NFKC). */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, '').normalize('NFKC')
}

/** Returns a text with letters that look Latin replaced by the Latin ones. */
export function folded(text: string): string {
  return [...text].map((character) => LOOKALIKES.get(character) ?? character).join('')
}

/** Returns the text that tag characters spell. */
export function spelledByTags(text: string): string {
  return (text.replaceAll(EMOJI_FLAG, '').match(TAGS) ?? [])
    .map((tag) => String.fromCodePoint((tag.codePointAt(0) ?? TAG) - TAG))
    .join('')
}
