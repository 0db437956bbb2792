import { BATCH_QUESTIONS } from './rpcBatches.ts'

/**
 * Asks a node about each item, as many at once as travel together, and answers in the items' order. Throws what the first
 * question to fail does; those that have not been put by then are not.
 */
export async function askAll<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let start = 0; start < items.length; start += BATCH_QUESTIONS) {
    answers.push(...(await Promise.all(items.slice(start, start + BATCH_QUESTIONS).map(ask))))
  }
  return answers
}
