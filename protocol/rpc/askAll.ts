import { BATCH_QUESTIONS } from './internal/rpcBatches.ts'

/**
 * Queries a node about each item, as many at once as fit one batch, and returns the answers in item order.
 * Throws the error of the first failed query; queries not yet sent are dropped.
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
