import { openJudge } from './judge.ts'
import type { Outcome, Question } from './outcome.ts'

/** What a worker answers: one message a question, in their order. */
export type Answer = { outcome: Outcome } | { error: string }

// The compiler and the tests block whoever runs them: so each worker is a process, which can be ended.
const [, , folder = ''] = process.argv
const judge = openJudge(folder)
process.on('message', async (question: Question) => {
  const answer: Answer = await judge
    .then((decide) => decide(question))
    .then(
      (outcome) => ({ outcome }),
      (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  process.send?.(answer)
})
// Nobody is left to answer.
process.once('disconnect', () => process.exit())
