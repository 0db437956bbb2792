const BURST_MS = 1_000

/** Counts the attempts of each webhook in this process, to limit them to a number per second. */
export class Pace {
  readonly #intervalMs: number
  readonly #nowMs: () => number
  /** When the next attempt of a webhook would be due, at an even pace. */
  readonly #nextMs = new Map<string, number>()

  constructor(perSecond: number, nowMs: () => number = () => performance.now()) {
    this.#intervalMs = 1_000 / perSecond
    this.#nowMs = nowMs
  }

  /** Counts an attempt of a webhook. */
  count(webhookId: string): void {
    const now = this.#nowMs()
    this.#nextMs.set(webhookId, Math.max(this.#nextMs.get(webhookId) ?? now, now) + this.#intervalMs)
  }

  /** Returns the webhooks that are a second ahead of their pace. Forgets those that are not ahead at all. */
  exceeded(): string[] {
    const now = this.#nowMs()
    for (const [id, nextMs] of this.#nextMs) if (nextMs <= now) this.#nextMs.delete(id)
    return [...this.#nextMs].flatMap(([id, nextMs]) => (nextMs > now + BURST_MS ? [id] : []))
  }
}
