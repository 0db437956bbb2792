import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Lock } from '@tus/server'
import { type RawBuilder, sql } from 'kysely'
import { Problem } from '../../../errors.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { uploadProblems } from '../problems.ts'
import { findUpload } from './find.ts'

// How long a dead process keeps others from its uploads, how often a live one renews its lease, and how long
// and how often another one asks for it.
const LEASE_SECONDS = 10
const RENEW_MS = 1_000
const WAIT_MS = 20_000
const POLL_MS = 50

/** The upload to lease, and its creator. */
interface Leased {
  id: string
  createdBy: string
  /** Whether this request begins the upload. It has the lease from the beginning then. */
  isNew: boolean
}

/**
 * The right to work on the bytes of one upload, across processes. It is a column of a row, not a lock of a
 * transaction, because bytes arrive for hours. A request that wants it says so, and the holder stops; a
 * holder that died loses it after ten seconds.
 */
export class UploadLease implements Lock {
  readonly id = randomUUID()
  readonly #db: Db
  readonly #leased: Leased
  readonly #released = new AbortController()
  readonly #lost = new AbortController()
  #cancel: () => void = () => {}
  #isGivenBack = false
  // By this process's own clock, which no sandbox moves. A process that was stopped for a while finds it
  // passed.
  #heldUntilMs = 0

  constructor(db: Db, leased: Leased) {
    this.#db = db
    this.#leased = leased
  }

  /** Aborts once another request wants the lease, or once it is lost: this one stops. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /**
   * Takes the lease, and keeps it until `unlock`; that of a new upload is taken by `begin`. Throws 404, and
   * 423 if its holder does not stop.
   */
  async lock(signal: AbortSignal, cancel: () => void): Promise<void> {
    this.#cancel = cancel
    if (this.#leased.isNew) return
    await this.#take(signal)
    void this.#renew()
  }

  /** Begins an upload, with the lease. */
  async begin<Row>(create: () => Promise<Row>): Promise<Row> {
    const askedMs = performance.now()
    const row = await create()
    this.#held(askedMs)
    void this.#renew()
    return row
  }

  /** Throws 423 if the lease may have ended: another request may work on the bytes by now. */
  requireHeld(): void {
    if (performance.now() >= this.#heldUntilMs) throw locked()
  }

  /** The lease was given back by the statement that ended its work. */
  givenBack(): void {
    this.#isGivenBack = true
  }

  /** Gives the lease back. */
  async unlock(): Promise<void> {
    this.#released.abort()
    if (this.#isGivenBack) return
    await this.#db
      .updateTable('market.uploads')
      .set({ lease_id: null, leased_until: null, is_wanted: false })
      .where('id', '=', this.#leased.id)
      .where('lease_id', '=', this.id)
      .execute()
  }

  async #take(signal: AbortSignal): Promise<void> {
    const { id, createdBy } = this.#leased
    const untilMs = performance.now() + WAIT_MS
    while (!(await this.#isTaken())) {
      await findUpload(this.#db, createdBy, id)
      if (performance.now() > untilMs) throw locked()
      await this.#db.updateTable('market.uploads').set({ is_wanted: true }).where('id', '=', id).execute()
      await delay(POLL_MS, undefined, { signal })
    }
  }

  #held(askedMs: number): void {
    this.#heldUntilMs = askedMs + LEASE_SECONDS * 1_000
  }

  async #isTaken(): Promise<boolean> {
    const askedMs = performance.now()
    const { numUpdatedRows } = await this.#db
      .updateTable('market.uploads')
      .set({ lease_id: this.id, leased_until: leasedUntil(), is_wanted: false })
      .where('id', '=', this.#leased.id)
      .where(sql<boolean>`(leased_until is null or leased_until < clock_timestamp())`)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) this.#held(askedMs)
    return numUpdatedRows > 0n
  }

  /** Stops the holder's request once another wants the lease, or once it cannot be renewed. */
  async #renew(): Promise<void> {
    const { signal } = this.#released
    while (!signal.aborted) {
      await delay(RENEW_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const askedMs = performance.now()
      const row = await this.#db
        .updateTable('market.uploads')
        .set({ leased_until: leasedUntil() })
        .where('id', '=', this.#leased.id)
        .where('lease_id', '=', this.id)
        .returning('is_wanted')
        .executeTakeFirst()
        .catch(() => undefined)
      if (row) this.#held(askedMs)
      if (row && !row.is_wanted) continue
      this.#lost.abort()
      this.#cancel()
    }
  }
}

/** Returns the end of a lease that is taken or renewed now. No sandbox moves that clock. */
export function leasedUntil(): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`
}

/** The problem for an upload that another request has. */
export function locked(): Problem {
  return new Problem(uploadProblems.uploadLocked, {
    detail:
      'Another request works on this upload, and did not stop. Ask with HEAD a moment later, and continue from there.',
  })
}
