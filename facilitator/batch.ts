/** Writes an item, together with the others that come while an earlier write is under way. */
export type Batch<Item, Result> = (item: Item) => Promise<Result>

/**
 * Puts writes together: while one is under way, what comes is kept, and goes in one. `write` answers a result for each
 * item, in their order; what it throws, each of its items gets.
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
