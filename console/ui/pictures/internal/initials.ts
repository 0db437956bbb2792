/** How many colours there are. */
const COLOURS = 8
const LETTERS = 2

/** Returns the initials of a name: of its first two words, or of its only one. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s\-_.]+/u)
    .filter(Boolean)
  const initials = words.slice(0, LETTERS).map((word) => [...word][0] ?? '')
  return initials.join('').toUpperCase()
}

/** Returns which colour an account has: always the same for its id. */
export function colourOf(id: string): number {
  // The last digits of an id are random.
  return (Number.parseInt(id.slice(-4), 16) || 0) % COLOURS
}
