/**
 * Runs tasks with the same key one after the other, in call order; tasks with different keys run
 * concurrently.
 */
export type Exclusive = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>

/** Returns a new set of queues. A queue is removed when its last task ends. */
export function createExclusive(): Exclusive {
  const tails = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task, task)
    const tail = result.catch(() => {})
    tails.set(key, tail)
    tail.then(() => tails.get(key) === tail && tails.delete(key))
    return result
  }
}
