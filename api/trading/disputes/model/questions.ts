import type { Question } from './ask.ts'
import type { ReadableCase } from './case.ts'
import { GUARD_PROMPT, type GuardAnswer, guardAnswer, type ModelAnswer, modelAnswer, SYSTEM_PROMPT } from './prompt.ts'

const MAX_VERDICT_TOKENS = 1_200
/** Enough for an answer about each of the most texts that a case has. */
const MAX_GUARD_TOKENS = 10_000

/**
 * Asks how much a buyer gets back. Each criterion must be answered once, and refer only to existing items.
 */
export function judge({ text, evidenceIds, criterionIds }: ReadableCase): Question<ModelAnswer> {
  const isGrounded = ({ findings }: ModelAnswer) =>
    findings.every(({ evidence_ids }) => evidence_ids.every((id) => evidenceIds.has(id)))
  return {
    ...{ system: SYSTEM_PROMPT, text, schema: modelAnswer, maxOutputTokens: MAX_VERDICT_TOKENS },
    fits: (answer) =>
      isEach(
        answer.findings.map(({ criterion_id }) => criterion_id),
        criterionIds,
      ) && isGrounded(answer),
  }
}

/** Asks for each text whether it is written to steer the judge. Each is answered once. */
export function guard({ text, evidenceIds, criterionIds }: ReadableCase): Question<GuardAnswer> {
  return {
    ...{ system: GUARD_PROMPT, text, schema: guardAnswer, maxOutputTokens: MAX_GUARD_TOKENS },
    fits: ({ items, criteria }) => isEach(idsOf(items), evidenceIds) && isEach(idsOf(criteria), criterionIds),
  }
}

function idsOf<Id>(answered: readonly { id: Id }[]): Id[] {
  return answered.map(({ id }) => id)
}

/** Returns whether a list contains each member of a set exactly once, and nothing else. */
function isEach<Id>(listed: readonly Id[], all: ReadonlySet<Id>): boolean {
  return listed.length === all.size && new Set(listed).size === all.size && listed.every((id) => all.has(id))
}
