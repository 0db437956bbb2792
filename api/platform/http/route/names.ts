/** The flag of a region, such as Scotland: a black flag, tags and the last tag. */
export const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu
// Invisible characters, except joiners, variation selectors, tags, changes of direction and what old Hangul,
// Khmer and Mongolian need.
const IGNORABLE =
  /[\p{Default_Ignorable_Code_Point}--[\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c-\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\u{e0000}-\u{e0fff}]]/gv
// These scripts need no joiners.
const PLAIN = String.raw`[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]`
const STRAY_JOINERS = new RegExp(
  String.raw`(?<![[\p{L}\p{M}\p{ExtPict}\p{EMod}\ufe0f]--${PLAIN}])[\u200c\u200d]|[\u200c\u200d](?![[\p{L}\p{M}\p{ExtPict}]--${PLAIN}])`,
  'gv',
)
// Beside right-to-left letters a mark decides where brackets and digits stand.
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/gu
const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u
// A letter of these scripts, a space or another selector has no variants.
const STRAY_SELECTORS =
  /(?<=^|[\p{Z}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gv

/**
 * Returns a name in the form in which it is stored: NFC, trimmed, with single spaces, and without invisible
 * characters where they join nothing. Persian, Indic scripts and emoji keep the joiners that they need.
 */
export function normalizeName(name: string): string {
  const directed = RIGHT_TO_LEFT.test(name) ? name : name.replaceAll(DIRECTION_MARKS, '')
  return directed
    .replaceAll(IGNORABLE, '')
    .replaceAll(STRAY_JOINERS, '')
    .replaceAll(STRAY_SELECTORS, '')
    .normalize('NFC')
    .replaceAll(/\p{Zs}+/gu, ' ')
    .replaceAll(/^ | $/g, '')
}

/** Returns a name without the tags of flags: all other tags hide words. */
export function withoutFlags(name: string): string {
  return name.replaceAll(FLAG, '\u{1f3f4}')
}
