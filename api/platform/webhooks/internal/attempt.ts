import { currentTraceparent, inSpan, inTrace, type OpenSpan } from '../../../../protocol/telemetry/trace.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { JobServices } from '../../jobs/services.ts'
import type { WebhookFamilies } from '../family.ts'
import type { Poster } from '../post.ts'
import { openSecret } from '../secret.ts'
import { type LeasedDelivery, releaseDelivery } from './lease.ts'
import { recordAttempt } from './record.ts'

/**
 * Sends a leased delivery once, outside any transaction, and records the result. If `stop` aborts first, the
 * lease is released, and another process sends the delivery again. Throws database errors, and an Error for a
 * secret that SIGNING_KEY does not open; the lease then runs out.
 */
export function attemptDelivery(
  services: JobServices,
  families: WebhookFamilies,
  poster: Poster,
  delivery: LeasedDelivery,
  stop: AbortSignal,
): Promise<void> {
  const attributes = { 'market.event_type': delivery.event_type, 'market.attempt': delivery.attempts + 1 }
  return inTrace(delivery.traceparent, () =>
    inSpan('webhook attempt', { kind: 'client', attributes }, (span) =>
      attempt(services, families, poster, { delivery, stop, span }),
    ),
  )
}

async function attempt(
  { db, settings }: JobServices,
  families: WebhookFamilies,
  poster: Poster,
  { delivery, stop, span }: { delivery: LeasedDelivery; stop: AbortSignal; span: OpenSpan },
): Promise<void> {
  const { id, subscription_id, sealed_secret, former_secret } = delivery
  const family = delivery.org_id === null ? families.market : families.org
  const body = family.bodyOf(settings, delivery)
  const secrets = [sealed_secret, ...(former_secret ? [former_secret] : [])].map((sealed) =>
    openSecret(settings, subscription_id, sealed),
  )
  const signed = family.headersOf({
    deliveryId: id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    body,
    secrets,
    timestamp: Math.floor(delivery.now_seconds),
  })
  // No signature covers it: whoever checks one must not depend on it either.
  const traceparent = currentTraceparent()
  const headers = traceparent === null ? signed : { ...signed, traceparent }
  const startedMs = performance.now()
  const deadline = AbortSignal.any([stop, AbortSignal.timeout(family.timeoutSeconds(settings.rules) * 1000)])
  const reply = await poster.post({ url: delivery.url, headers, body }, deadline)
  const latencyMs = Math.round(performance.now() - startedMs)
  span.set('status' in reply ? { 'http.response.status_code': reply.status } : { 'error.type': reply.failure })
  if (stop.aborted && 'failure' in reply) return releaseDelivery(db, delivery)
  await inTransaction(db, 'read write', (tx) => recordAttempt(tx, settings, family, delivery, { reply, latencyMs }))
}
