import { AsyncLocalStorage } from 'node:async_hooks'
import { readTraceparent, type TraceParts, writeTraceparent } from './traceparent.ts'

/**
 * What a span tells of its work: names and numbers of ours, never a person's text, an address or a secret.
 */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/**
 * How a span relates to other processes: it answers a request, makes one, or takes what another process left.
 */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** A span that lasts. */
export interface OpenSpan {
  rename: (name: string) => void
  set: (attributes: Attributes) => void
}

/** A span that has begun, with its place in its trace. */
export interface BegunSpan extends OpenSpan {
  parts: TraceParts
  end: (error?: unknown) => void
}

/** A span's beginning. */
export interface SpanStart {
  name: string
  kind: SpanKind
  attributes: Attributes
  parent: TraceParts | undefined
  /** Unix milliseconds; by default now. */
  startedAtMs?: number
}

/** How work is recorded. */
export interface SpanOptions {
  kind?: SpanKind
  attributes?: Attributes
  /** Outside any trace the work is not recorded: it would be a trace of one span. */
  onlyInTrace?: boolean
}

type Begin = (start: SpanStart) => BegunSpan

const NO_SPAN: OpenSpan = { rename: () => {}, set: () => {} }

const current = new AsyncLocalStorage<TraceParts | undefined>()
let begin: Begin | undefined

/** Has spans recorded from now on; undefined ends that. */
export function recordSpans(by: Begin | undefined): void {
  begin = by
}

/** Whether spans are recorded. */
export function recordsSpans(): boolean {
  return begin !== undefined
}

/**
 * Runs work in the trace that a header or a row names, or in none if the value is not a `traceparent`. A
 * trace is telemetry: anybody can name any, so nothing else may depend on it.
 */
export function inTrace<Answer>(traceparent: unknown, work: () => Answer): Answer {
  return current.run(readTraceparent(traceparent), work)
}

/**
 * Returns the `traceparent` of the running work, to store with what follows from it; null outside any trace.
 */
export function currentTraceparent(): string | null {
  const parts = current.getStore()
  return parts === undefined ? null : writeTraceparent(parts)
}

/** Returns the id of the running work's trace, for its log lines; undefined outside any trace. */
export function currentTraceId(): string | undefined {
  return current.getStore()?.traceId
}

/**
 * Runs work as a span of the current trace, and records the span where spans are recorded. Rethrows what the
 * work throws; the span tells its type alone.
 */
export async function inSpan<Answer>(
  name: string,
  { kind = 'internal', attributes = {}, onlyInTrace = false }: SpanOptions,
  work: (span: OpenSpan) => Promise<Answer>,
): Promise<Answer> {
  const parent = current.getStore()
  if (!begin || (onlyInTrace && !parent)) return work(NO_SPAN)
  const span = begin({ name, kind, attributes, parent })
  try {
    const answer = await current.run(span.parts, () => work(span))
    span.end()
    return answer
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Records a span of the current trace that has just ended, for work that tells only how long it took. */
export function recordEnded(name: string, durationMs: number, attributes: Attributes, error?: unknown): void {
  const parent = current.getStore()
  if (!parent) return
  begin?.({ name, kind: 'client', attributes, parent, startedAtMs: Date.now() - durationMs }).end(error)
}
