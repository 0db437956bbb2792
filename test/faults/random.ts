/** Choices that follow from a seed. */
export interface Random {
  /** An integer from 0 on. */
  below: (limit: number) => number
  pick: <Item>(items: readonly Item[]) => Item
  shuffled: <Item>(items: readonly Item[]) => Item[]
}

/** Returns the choices of a seed (mulberry32): the same seed makes the same ones. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  const pick = <Item>(items: readonly Item[]): Item => {
    if (items.length === 0) throw new Error('there is nothing to choose from')
    return items[below(items.length)] as Item
  }
  const shuffled = <Item>(items: readonly Item[]): Item[] => {
    const rest = [...items]
    return items.map(() => rest.splice(below(rest.length), 1)[0] as Item)
  }
  return { below, pick, shuffled }
}
