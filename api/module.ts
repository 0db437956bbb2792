import type { MarketRules } from './context.ts'
import type { ProblemTypes } from './errors.ts'
import type { PersonalData } from './platform/db/personalDataRule.ts'
import type { EventTypes } from './platform/events/eventType.ts'

/** What a folder of the service declares, besides its routes. `modules.ts` lists all of them. */
export interface Module {
  /** The types of events that its verbs emit. */
  events?: EventTypes
  /** The kinds of notifications that it sends, besides those of its events. */
  notices?: Readonly<Record<string, { title: string }>>
  /** The types of problems that its verbs throw. */
  problems?: ProblemTypes
  /** Its limits and durations: `settings.rules` has them. */
  rules?: Readonly<Record<string, unknown>>
  /** The personal data in its tables. */
  personalData?: PersonalData
  /** Rows of its tables that end. */
  perishable?: readonly Perishable[]
  /** The paths of its SQL, from the root of the project. */
  schema?: readonly string[]
}

/** Rows that are of no use after a time. */
export interface Perishable {
  table: string
  key: readonly string[]
  /** The indexed column with the time at which a row ends. */
  end: string
  /** How long a row is kept after its end; 0 seconds if this is not given. */
  keptSeconds?: (rules: MarketRules) => number
}
