// Ways to write words so that a model finds them and a filter does not. Each function returns the text
// without the disguise; `undisguised` leaves out unchanged and empty results. Everything is bounded.

const WORDS =
  'instructions|instruction|previous|arbitrator|disregard|override|guidelines|release|ignore|forget|refund|verdict|confidence|system|prompt|seller|buyer|decide|award|above|rules|judge|prior|earlier|payment|full|all|the|and|for|you|must|to'
const VOCABULARY = new Set(WORDS.split('|'))
const COMMON = /(?<![\p{L}])(?:seller|buyer|decide|award|judge|rules|the|and|for|you|all|not|what)(?![\p{L}])/gu
const KEYS = ['instructions', 'previous', 'ignore', 'disregard', 'refund', 'release', 'arbitrator', 'verdict', 'prompt']
const WORD_WITH_DIGITS =
  /(?<![\p{L}\d])(?=[\p{L}\d@$!|]{0,30}\p{L})(?=[\p{L}\d@$!|]{0,30}[\d@$!|])[\p{L}\d@$!|]{3,30}/gu
const DIGITS: Record<string, string> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's' }
const MIN_KNOWN = 2
const SPACED = /(?<![\p{L}\d])(?:\p{L}[ .\-_*|/+]{1,3}){4,400}\p{L}(?![\p{L}\d])/gu

/** Letters written as digits. Where words of the vocabulary are, the others are read so too. */
function unleet(text: string): string {
  let known = 0
  const readings = (word: string) => {
    const letters = word.toLowerCase().replaceAll(/[034578@$]/g, (digit) => DIGITS[digit] ?? digit)
    return ['i', 'l'].map((letter) => letters.replaceAll(/[1!|]/g, letter))
  }
  const read = text.replaceAll(WORD_WITH_DIGITS, (word) => {
    const found = readings(word).find((one) => VOCABULARY.has(one))
    if (found !== undefined) known++
    return found ?? word
  })
  return known < MIN_KNOWN ? read : read.replaceAll(WORD_WITH_DIGITS, (word) => readings(word)[0] ?? word)
}

/** Spaced letters. More than one space between two letters separates two words. */
function unspaced(text: string): string {
  return text.replaceAll(SPACED, (run) => {
    const isDotted = /\p{L}[.\-_*|/+]\p{L}[.\-_*|/+]\p{L}/u.test(run)
    const words = run.split(isDotted ? / +/ : / {2,}|[ .\-_*|/+]{3}/).map((word) => word.replaceAll(/[ .\-_*|/+]/g, ''))
    return words
      .map((word) => word.replaceAll(new RegExp(WORDS, 'gi'), ' $& '))
      .join(' ')
      .replaceAll(/ +/g, ' ')
  })
}

/** Returns a text without the marks on its Latin letters. In other scripts a mark makes another letter. */
export function unmarked(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/(?<=\p{Script=Latin}\p{M}{0,8})\p{M}/gu, '')
    .normalize('NFC')
}

/** Words that read backwards. */
function unreversed(text: string): string {
  const backwards = [...text].reverse().join('')
  const read = (from: string) => KEYS.filter((word) => from.includes(word)).length + (from.match(COMMON)?.length ?? 0)
  return read(backwards.toLowerCase()) > read(text.toLowerCase()) ? backwards : ''
}

/** Returns the plain text behind disguised words, once for each disguise. */
export function undisguised(text: string): string[] {
  const bare = unmarked(text)
  return [unleet(bare), unspaced(bare), unreversed(bare)].filter((one) => one !== '' && one !== bare)
}
