import { setTimeout as delay } from 'node:timers/promises'
import { accountOf } from '../../../actor.ts'
import type { Actor } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { describeFault } from '../../../faults.ts'
import { announce } from '../../announcements/announce.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { ApplicationServices } from '../../http/serve/services.ts'
import { EventReceived } from '../announcements.ts'
import { type Envelope, type LoggedEvent, type LogPart, readLog, readVisible } from '../log.ts'
import { placeActs } from '../placeActs.ts'
import { eventProblems } from '../problems.ts'
import { namesOrgTypes } from '../subjects.ts'
import { Follower, type FollowerOptions } from './follower.ts'

const TICK_MS = 200
const BEAT_MS = 15_000
const CHECK_MS = 2_000
/** A caller who is removed from an org stops seeing its events within a second. */
const ORGS_CHECK_MS = 500
const STREAM_TIMEOUT_MS = 10_000
const RETRY_SECONDS = 60
const PAGE = 500

type FeedServices = Pick<
  ApplicationServices,
  'db' | 'log' | 'settings' | 'findEnded' | 'findPlaces' | 'streamTimeoutMs'
>

/**
 * Reads the log once for all streams of the process, at short intervals, while any stream follows it. It does
 * not wait for notifications, because Postgres serialises the commits of transactions that notify, and every
 * change has an event.
 */
export class Feed {
  readonly #services: FeedServices
  readonly #followers = new Set<Follower>()
  readonly #byAccount = new Map<string, Set<Follower>>()
  #read: bigint | undefined
  #epoch: string | undefined
  #checkedAt = 0
  #orgsCheckedAt = 0
  #isFailing = false

  constructor(services: FeedServices) {
    this.#services = services
  }

  /** Throws events/too-many-streams (429) if the caller has as many streams as one account may. */
  requireRoom(actor: Actor): void {
    const most = this.#services.settings.rules.maxEventStreams
    const open = this.#byAccount.get(accountOf(actor))?.size ?? 0
    if (open < most) return
    throw new Problem(eventProblems.tooManyStreams, {
      detail: `An account can have ${most} streams open. Close one, or follow more types in one.`,
      retryAfterSeconds: RETRY_SECONDS,
    })
  }

  /** Sends the log to a receiver, starting after a place, until its sink is closed. */
  follow(options: Omit<FollowerOptions, 'onSent'>): void {
    const { actor } = options
    const follower = new Follower({ ...options, onSent: (event) => void this.#announceReceived(actor, event) })
    this.#add(follower)
    if (this.#read === undefined) {
      this.#read = options.end
      this.#epoch = options.epoch
      void this.#run()
    }
    void this.#catchUp(follower)
  }

  async #catchUp(follower: Follower): Promise<void> {
    const { db, log } = this.#services
    try {
      await follower.catchUp((filter, after) => readVisible(db, filter, after, PAGE))
    } catch (error) {
      // The receiver reconnects with the place that it has reached.
      log.warn({ fault: describeFault(error) }, 'a stream could not be caught up')
      follower.sink.end('stopping')
    }
  }

  async #run(): Promise<void> {
    const { log } = this.#services
    while (this.#followers.size > 0) {
      try {
        await this.#tick()
        this.#isFailing = false
      } catch (error) {
        if (!this.#isFailing) log.warn({ fault: describeFault(error) }, 'the event log cannot be read')
        this.#isFailing = true
      }
      await delay(TICK_MS)
    }
    this.#read = undefined
  }

  async #tick(): Promise<void> {
    this.#upkeep(performance.now())
    await placeActs(this.#services.db)
    for (let hasMore = true; hasMore && this.#read !== undefined; ) {
      const part = await readLog(this.#services.db, this.#read, PAGE)
      if (part.epoch !== this.#epoch) return this.#endAll(part)
      for (const event of part.events) this.#offer(event)
      this.#read = part.end
      hasMore = part.hasMore
    }
    await this.#endEnded(performance.now())
    await this.#endMoved(performance.now())
  }

  /** If this process cannot announce a receipt, it is announced when the account next receives the event. */
  async #announceReceived(actor: Actor, event: Envelope): Promise<void> {
    const { db, log, settings } = this.#services
    if (!settings.eventTypes[event.event_type]?.announcesReceipt) return
    const received = { accountId: accountOf(actor), event }
    try {
      await inTransaction(db, 'read write', (tx) => announce(tx, settings, EventReceived, received))
    } catch (error) {
      log.warn({ fault: describeFault(error) }, 'the receipt of an event was not recorded')
    }
  }

  #offer(event: LoggedEvent): void {
    for (const account of event.visibleTo)
      for (const follower of this.#byAccount.get(account) ?? []) follower.offer(event)
  }

  #upkeep(now: number): void {
    const timeoutMs = this.#services.streamTimeoutMs ?? STREAM_TIMEOUT_MS
    for (const follower of this.#followers) {
      const blockedSince = follower.sink.blockedSince()
      if (blockedSince !== undefined) {
        if (now - blockedSince > timeoutMs) this.#cutOff(follower)
      } else if (this.#read !== undefined && now - follower.beatAt > BEAT_MS) {
        follower.beatAt = now
        follower.beat(this.#read)
      }
    }
  }

  #cutOff({ sink }: Follower): void {
    this.#services.log.info('a stream is cut off: its receiver takes nothing')
    sink.end('slow')
  }

  /**
   * The log is in another epoch, where the places of the streams may be invalid: clients reconnect and are
   * then told.
   */
  #endAll({ epoch, end }: LogPart): void {
    this.#read = end
    this.#epoch = epoch
    for (const { sink } of this.#followers) sink.end('stopping')
  }

  /** Ends the streams of callers whose credential has ended since. */
  async #endEnded(now: number): Promise<void> {
    if (now - this.#checkedAt < CHECK_MS) return
    this.#checkedAt = now
    const { db, settings, findEnded } = this.#services
    const followers = [...this.#followers]
    const ended = await findEnded(
      db,
      settings,
      followers.map(({ actor }) => actor),
    )
    for (const { actor, sink } of followers) if (ended.has(actor)) sink.end('credential')
  }

  /**
   * Ends the streams of callers whose orgs have changed: they reconnect, and then follow their current orgs.
   */
  async #endMoved(now: number): Promise<void> {
    if (now - this.#orgsCheckedAt < ORGS_CHECK_MS) return
    this.#orgsCheckedAt = now
    const { db, settings, findPlaces } = this.#services
    const followers = [...this.#followers].filter(({ filter }) => namesOrgTypes(settings.eventTypes, filter.subjects))
    const orgs = await findPlaces(
      db,
      followers.map(({ actor }) => actor),
    )
    for (const { actor, filter, sink } of followers)
      if ((orgs.get(accountOf(actor)) ?? []).join() !== filter.orgs.join()) sink.end('stopping')
  }

  #add(follower: Follower): void {
    this.#followers.add(follower)
    for (const account of sourcesOf(follower)) {
      const followers = this.#byAccount.get(account) ?? new Set()
      this.#byAccount.set(account, followers.add(follower))
    }
    const { closed } = follower.sink
    closed.addEventListener('abort', () => this.#remove(follower))
    if (closed.aborted) this.#remove(follower)
  }

  #remove(follower: Follower): void {
    this.#followers.delete(follower)
    for (const account of sourcesOf(follower)) {
      const followers = this.#byAccount.get(account)
      followers?.delete(follower)
      if (followers?.size === 0) this.#byAccount.delete(account)
    }
  }
}

/** The ids whose events a follower sees. */
function sourcesOf({ filter: { accounts, orgs } }: Follower): readonly string[] {
  return [...accounts, ...orgs]
}
