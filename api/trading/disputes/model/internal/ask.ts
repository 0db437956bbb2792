import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, type LanguageModel, NoObjectGeneratedError, Output } from 'ai'
import type { z } from 'zod'
import type { ModelSettings } from '../../../../context.ts'
import { parseJson } from '../../../../platform/http/serve/json.ts'

const MAX_REQUEST_BYTES = 262_144
const MAX_ANSWER_BYTES = 262_144
const OK = 200

/**
 * The outcome of asking a model: an answer, an unusable answer, or none, in which case it can be asked again.
 */
export type Asked<Answer> = { kind: 'answer'; answer: Answer } | { kind: 'unusable' } | { kind: 'none' }

/** A question to a model, and the schema of its answer. */
export interface Question<Answer> {
  system: string
  /** The case as it reads it. */
  text: string
  schema: z.ZodType<Answer>
  maxOutputTokens: number
  /**
   * Returns whether an answer of the schema fits the case: it refers only to existing items, and omits none.
   */
  fits: (answer: Answer) => boolean
}

/** The cost of an answered call. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}

/**
 * Asks a model once. An answer that does not parse, breaks off, is too long, names a member twice, or does
 * not fit the case, is unusable; nothing is asked a second time. `signal` ends the call; `onUsage` receives
 * its cost.
 */
export async function askModel<Answer>(
  settings: ModelSettings,
  question: Question<Answer>,
  signal: AbortSignal,
  onUsage: (usage: Usage) => void = () => {},
): Promise<Asked<Answer>> {
  const { system, text: prompt, schema, maxOutputTokens } = question
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
      instructions: system,
      prompt,
      output: Output.object({ schema }),
      temperature: 0,
      maxOutputTokens,
      maxRetries: 0,
      abortSignal: signal,
    })
    onUsage({ inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 })
    if (finishReason !== 'stop') return { kind: 'unusable' }
    return readAnswer(text, question)
  } catch (error) {
    if (isTooLong || NoObjectGeneratedError.isInstance(error)) return { kind: 'unusable' }
    // An answer that does not conform to the protocol.
    if (APICallError.isInstance(error) && error.statusCode === OK) return { kind: 'unusable' }
    if (APICallError.isInstance(error) || signal.aborted) return { kind: 'none' }
    throw error
  }
}

/**
 * Reads the raw text again: a parser takes the last of two members of one name, and a reader may see the
 * first.
 */
function readAnswer<Answer>(text: string, { schema, fits }: Question<Answer>): Asked<Answer> {
  try {
    const answer = schema.parse(parseJson(Buffer.from(text)))
    return fits(answer) ? { kind: 'answer', answer } : { kind: 'unusable' }
  } catch {
    return { kind: 'unusable' }
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

/** An answer of a model that was cut off because it was too long. */
class AnswerTooLong extends Error {
  constructor() {
    super(`the model's answer is above ${MAX_ANSWER_BYTES} bytes`)
    this.name = 'AnswerTooLong'
  }
}

/**
 * Returns a fetch for one call of a model: it follows no redirect, because the evidence goes to the
 * configured endpoint alone, and reads an answer only up to a limit. `onTooLong` is called for a longer one.
 */
function boundedFetch(onTooLong: () => void): typeof fetch {
  return async (input, init) => {
    if (typeof init?.body === 'string' && init.body.length > MAX_REQUEST_BYTES) throw new Error('the case is too long')
    const response = await fetch(input, { ...init, redirect: 'error' })
    const pieces: Uint8Array[] = []
    let size = 0
    // A body is iterable; the DOM's type does not say so.
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += piece.byteLength
      if (size > MAX_ANSWER_BYTES) {
        onTooLong()
        throw new AnswerTooLong()
      }
      pieces.push(piece)
    }
    const { status, statusText, headers } = response
    const kept = new Headers(headers)
    // The bytes are decoded by now.
    for (const name of ['content-encoding', 'content-length']) kept.delete(name)
    return new Response(status === 204 ? null : Buffer.concat(pieces), { status, statusText, headers: kept })
  }
}
