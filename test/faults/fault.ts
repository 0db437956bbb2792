import type { FaultMarket } from './market.ts'
import type { Random } from './random.ts'

/** What can go wrong with a running market. */
export interface Fault {
  name: string
  /** Why it cannot be tried here. */
  skip?: string | undefined
  /** Does the harm, and returns how to heal it. The victim follows from `random`. */
  inject: (market: FaultMarket, random: Random) => Promise<Injected>
  /** How long it lasts until it is healed. */
  lastsMs: number
}

/** A fault that was injected. */
export interface Injected {
  /** Whom it hit. */
  victim: string
  /** Ends the harm. What the market needs to serve again after that is its own. */
  heal: () => Promise<void>
}
