/** Runs tasks of one key one after the other, in the order they were given; tasks of other keys meanwhile. */
export type Exclusive = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>

/** A new set of queues. A queue is forgotten when its last task ends. */
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
