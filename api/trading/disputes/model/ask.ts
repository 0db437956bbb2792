import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, type LanguageModel, NoObjectGeneratedError, Output } from 'ai'
import type { ModelSettings } from '../../../context.ts'
import { parseJson } from '../../../platform/http/serve/json.ts'
import type { ReadableCase } from './case.ts'
import { boundedFetch } from './fetch.ts'
import { type ModelAnswer, modelAnswer, SYSTEM_PROMPT } from './prompt.ts'

const MAX_OUTPUT_TOKENS = 1_200
const OK = 200

/** What came of asking a model: its answer, one that cannot be used, or none at all, which may come another time. */
export type Asked = { kind: 'answer'; answer: ModelAnswer } | { kind: 'unusable' } | { kind: 'none' }

/** What a call that was answered took. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}

/**
 * Asks a model once. An answer that does not parse, breaks off, is too long, names a member twice, or refers to what is not in
 * the case, is unusable; nothing is asked a second time. `signal` ends the call; `onUsage` is told what it took.
 */
export async function askModel(
  settings: ModelSettings,
  readable: ReadableCase,
  signal: AbortSignal,
  onUsage: (usage: Usage) => void = () => {},
): Promise<Asked> {
  let isTooLong = false
  const model = modelOf(
    settings,
    boundedFetch(() => {
      isTooLong = true
    }),
  )
  try {
    const { text, finishReason, usage } = await generateText({
      model,
      instructions: SYSTEM_PROMPT,
      prompt: readable.text,
      output: Output.object({ schema: modelAnswer }),
      temperature: 0,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: 0,
      abortSignal: signal,
    })
    onUsage({ inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 })
    if (finishReason !== 'stop') return { kind: 'unusable' }
    return readAnswer(text, readable)
  } catch (error) {
    if (isTooLong || NoObjectGeneratedError.isInstance(error)) return { kind: 'unusable' }
    // What was answered, and is not what the protocol says.
    if (APICallError.isInstance(error) && error.statusCode === OK) return { kind: 'unusable' }
    if (APICallError.isInstance(error) || signal.aborted) return { kind: 'none' }
    throw error
  }
}

/** Reads the raw text again: a parser takes the last of two members of one name, and a reader may see the first. */
function readAnswer(text: string, { evidenceIds, criterionIds }: ReadableCase): Asked {
  const answer = parseStrictly(text)
  if (!answer) return { kind: 'unusable' }
  const answered = answer.findings.map(({ criterion_id }) => criterion_id)
  const isWhole = new Set(answered).size === criterionIds.size && answered.length === criterionIds.size
  const isGrounded = answer.findings.every(
    ({ criterion_id, evidence_ids }) =>
      criterionIds.has(criterion_id) && evidence_ids.every((id) => evidenceIds.has(id)),
  )
  return isWhole && isGrounded ? { kind: 'answer', answer } : { kind: 'unusable' }
}

function parseStrictly(text: string): ModelAnswer | undefined {
  try {
    return modelAnswer.parse(parseJson(Buffer.from(text)))
  } catch {
    return undefined
  }
}

function modelOf(
  { provider, url, model, apiKey, isStructured }: ModelSettings,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  if (provider === 'anthropic') {
    return createAnthropic({ apiKey, fetch, ...(url === undefined ? {} : { baseURL: url }) })(model)
  }
  const name = 'arbitrator'
  const options = { name, baseURL: url ?? '', apiKey, fetch, supportsStructuredOutputs: isStructured }
  return createOpenAICompatible(options).chatModel(model)
}
