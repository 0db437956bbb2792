/** Writes an item, together with the others that arrive while an earlier write is running. */
export type Batch<Item, Result> = (item: Item) => Promise<Result>

/**
 * Batches writes: items that arrive while a write is running go together into the next. `write` returns a
 * result for each item, in order; its error rejects each of its items.
 */
export function createBatch<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): Batch<Item, Result> {
  let waiting: { item: Item; settle: PromiseWithResolvers<Result> }[] = []
  let isWriting = false
  const drain = async () => {
    isWriting = true
    for (let batch = waiting; batch.length > 0; batch = waiting) {
      waiting = []
      try {
        const results = await write(batch.map(({ item }) => item))
        for (const [index, { settle }] of batch.entries()) settle.resolve(results[index] as Result)
      } catch (error) {
        for (const { settle } of batch) settle.reject(error)
      }
    }
    isWriting = false
  }
  return (item) => {
    const settle = Promise.withResolvers<Result>()
    waiting.push({ item, settle })
    if (!isWriting) void drain()
    return settle.promise
  }
}
