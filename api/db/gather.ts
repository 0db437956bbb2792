import type { Tx } from './pool.ts'

type Waiting = Map<Writer<never>, unknown[]>
type Writer<Item> = (tx: Tx, items: readonly Item[]) => Promise<unknown>

const gathered = new WeakMap<Tx, Waiting>()

/**
 * Something that many verbs write and none of them reads again: written at once, or, while a transaction gathers, with
 * all others of its kind, in their order. A set costs little more than one.
 */
export function gatherable<Item>(write: Writer<Item>): (tx: Tx, item: Item) => Promise<void> {
  return async (tx, item) => {
    const waiting = gathered.get(tx)
    if (!waiting) {
      await write(tx, [item])
      return
    }
    const items = waiting.get(write) ?? []
    waiting.set(write, items)
    items.push(item)
  }
}

/** Runs verbs in a transaction that gathers, and then writes what they left. All of it is in the same transaction. */
export async function gather<Answer>(tx: Tx, verbs: () => Promise<Answer>): Promise<Answer> {
  if (gathered.has(tx)) throw new Error('this transaction gathers already')
  gathered.set(tx, new Map())
  try {
    const answer = await verbs()
    await writeGathered(tx)
    return answer
  } finally {
    gathered.delete(tx)
  }
}

/** Writes what a transaction has gathered so far: for whoever is about to read it. */
export async function writeGathered(tx: Tx): Promise<void> {
  const waiting = [...(gathered.get(tx) ?? [])]
  gathered.get(tx)?.clear()
  for (const [write, items] of waiting) await (write as Writer<unknown>)(tx, items)
}
