import { setTimeout as delay } from 'node:timers/promises'
import { describeFault, isOutage } from '../../faults.ts'
import type { JobServices } from '../jobs/services.ts'
import type { WebhookFamilies, WebhookFamily } from './family.ts'
import { attemptDelivery } from './internal/attempt.ts'
import { type LeasedDelivery, leaseDeliveries } from './internal/lease.ts'
import { Pace } from './internal/pace.ts'
import { Poster } from './post.ts'

/**
 * The maximum number of attempts in progress in this process. One that waits for a receiver costs a socket
 * and some memory.
 */
const MAX_IN_FLIGHT = 256
const LEASE_MARGIN_SECONDS = 5
/** How long a receiver has to answer when the process stops. */
const DRAIN_MS = 5_000

/**
 * The attempts of this process. Several processes may send at once: each delivery is leased by one of them.
 */
export class WebhookPump {
  readonly #families: WebhookFamilies
  readonly #services: JobServices
  readonly #wake: () => void
  readonly #poster: Poster
  readonly #pace: Pace
  readonly #drainMs: number
  readonly #inFlight = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()

  /**
   * `wake` schedules another `pass` soon. Deliveries without an answer `drainMs` after a stop are released.
   */
  constructor(
    families: WebhookFamilies,
    services: JobServices,
    { wake, poster, drainMs }: { wake: () => void; poster?: Poster | undefined; drainMs?: number | undefined },
  ) {
    this.#families = families
    this.#services = services
    this.#wake = wake
    this.#poster = poster ?? new Poster(services.settings)
    this.#drainMs = drainMs ?? DRAIN_MS
    this.#pace = new Pace(services.settings.rules.webhookRatePerSecond)
  }

  /**
   * Starts sending due deliveries, up to the limit, and does not wait for the receivers. Throws database
   * errors.
   */
  async pass(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const { db, settings } = this.#services
    const { webhookConcurrency: perWebhook } = settings.rules
    const atMost = MAX_IN_FLIGHT - this.#inFlight.size
    const except = this.#pace.exceeded()
    const timeouts = Object.values(this.#families).map((family: WebhookFamily) => family.timeoutSeconds(settings.rules))
    const leaseSeconds = Math.max(...timeouts) + LEASE_MARGIN_SECONDS
    const leased = await leaseDeliveries(db, { atMost, perWebhook, except, leaseSeconds })
    for (const delivery of leased) this.#begin(delivery)
  }

  /** Resolves when no attempt is in progress. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight)
  }

  /**
   * Starts no more attempts. Deliveries without an answer in time are released. Resolves when no attempt is
   * in progress.
   */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const drained = new AbortController()
    const abort = delay(this.#drainMs, undefined, { signal: drained.signal }).then(() => this.#aborting.abort())
    await this.settled()
    drained.abort()
    await abort.catch(() => {})
  }

  #begin(delivery: LeasedDelivery): void {
    this.#pace.count(delivery.subscription_id)
    const attempt = attemptDelivery(this.#services, this.#families, this.#poster, delivery, this.#aborting.signal)
      .catch((error) => this.#logFault(error, delivery))
      .finally(() => {
        this.#inFlight.delete(attempt)
        // More deliveries may be waiting. A pass that is already running may not have seen that the attempt
        // ended.
        this.#wake()
      })
    this.#inFlight.add(attempt)
  }

  #logFault(error: unknown, { id, subscription_id }: LeasedDelivery): void {
    const about = { delivery: id, webhook: subscription_id, fault: describeFault(error) }
    if (isOutage(error)) this.#services.log.warn(about, 'an attempt of a webhook was not recorded')
    else this.#services.log.error({ alarm: true, ...about }, 'an attempt of a webhook failed')
  }
}
