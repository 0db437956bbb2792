import type { z } from 'zod'

/** Adapters of one version, by operation id. */
export type Adapters = Record<string, Adapter>

/** How an older version of one operation differs in shape from the current one. */
export interface Adapter {
  /** The older request body, as parsed JSON and not yet validated, in the current shape. */
  upgradeRequest?: (body: unknown) => unknown
  /** The current answer in the older shape. */
  downgradeResponse?: (answer: { status: number; body: unknown }) => unknown
  /** The older shapes of its answers, by status. */
  answers?: Readonly<Record<number, z.ZodType>>
}
