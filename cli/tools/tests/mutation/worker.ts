import { openJudge } from './judge.ts'
import type { Outcome, Question } from './outcome.ts'

/** A worker's answer: one message per question, in order. */
export type Answer = { outcome: Outcome } | { error: string }

// The compiler and the tests block their process, so each worker is a process that can be killed.
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
// No process is left to answer.
process.once('disconnect', () => process.exit())
