import { randomFillSync } from 'node:crypto'
import { newId } from '../../../../../protocol/encoding/ids.ts'
import { recordsSpans } from '../../../../../protocol/telemetry/trace.ts'
import { readTraceparent } from '../../../../../protocol/telemetry/traceparent.ts'
import type { RequestContext } from '../../serve/services.ts'

const BYTES_AN_ID = 16
const IDS_A_DRAW = 256
const drawn = Buffer.alloc(BYTES_AN_ID * IDS_A_DRAW)
let at = drawn.length

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SPAN_DIGITS = 16

/**
 * Returns the id of a request: the one that a proxy or the caller gives, if it is a UUID as ours are, or a
 * new one. Nothing but the log goes by it.
 */
export function requestIdOf(context: RequestContext): string {
  const given = context.req.header('X-Request-Id')
  return given !== undefined && UUID.test(given) ? given : newRequestId()
}

/**
 * Returns the trace of a request: the one that it names, or one that is named by its id, so that the log
 * lines of every process show what it caused. Where spans are recorded, its first span begins one.
 */
export function traceOf(context: RequestContext, requestId: string): string | undefined {
  const given = context.req.header('traceparent')
  if (readTraceparent(given) || recordsSpans()) return given
  const digits = requestId.replaceAll('-', '')
  return `00-${digits}-${digits.slice(-SPAN_DIGITS)}-00`
}

/**
 * Returns a new UUID (version 7). Random bytes are drawn for many ids at once, because the call is the
 * expensive part.
 */
function newRequestId(): string {
  if (at === drawn.length) {
    randomFillSync(drawn)
    at = 0
  }
  at += BYTES_AN_ID
  return newId({ random: drawn.subarray(at - BYTES_AN_ID, at) })
}
