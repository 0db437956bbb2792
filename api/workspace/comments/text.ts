/** More places than this are not compared: the first ones are. */
const MAX_PLACES = 1_000

/** Returns where a text has some words, in order: the first code units of them. */
export function placesOf(text: string, words: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(words); at >= 0 && places.length < MAX_PLACES; at = text.indexOf(words, at + 1))
    places.push(at)
  return places
}

/** Returns how many code units two texts begin with alike. */
export function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1
  return length
}

/** Returns how many code units two texts end with alike. */
export function commonEnd(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length += 1
  return length
}

/** Returns a text without half a character that a cut left at its start. */
export function wholeStart(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text
}

/** Returns a text without half a character that a cut left at its end. */
export function wholeEnd(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
