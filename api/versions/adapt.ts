import type { z } from 'zod'
import { adapters as adapters20260505 } from './2026-05-05.ts'
import { CURRENT_VERSION, type MarketVersion } from './versions.ts'

/** How an older version of one operation differs in shape from the current one. */
export interface Adapter {
  /** The older request body, as parsed JSON and not yet validated, in the current shape. */
  upgradeRequest?: (body: unknown) => unknown
  /** The current answer in the older shape. */
  downgradeResponse?: (answer: { status: number; body: unknown }) => unknown
  /** The older shapes of its answers, by status. */
  answers?: Readonly<Record<number, z.ZodType>>
}

/** Adapters of one version, by operation id. */
export type Adapters = Record<string, Adapter>

const adaptersOf: Record<Exclude<MarketVersion, typeof CURRENT_VERSION>, Adapters> = { '2026-05-05': adapters20260505 }

function adapterOf(version: MarketVersion, operationId: string): Adapter | undefined {
  return version === CURRENT_VERSION ? undefined : adaptersOf[version][operationId]
}

/** The shapes in which older versions answer an operation with a status, where they differ from the current one. */
export function olderAnswers(operationId: string, status: number): z.ZodType[] {
  return Object.values(adaptersOf).flatMap((adapters) => adapters[operationId]?.answers?.[status] ?? [])
}

/** A request body in the current version's shape. */
export function upgradeRequest(version: MarketVersion, operationId: string, body: unknown): unknown {
  const upgrade = adapterOf(version, operationId)?.upgradeRequest
  return upgrade ? upgrade(body) : body
}

/** An answer's body in the shape of the version that was asked for. */
export function downgradeResponse(
  version: MarketVersion,
  operationId: string,
  answer: { status: number; body: unknown },
): unknown {
  const downgrade = adapterOf(version, operationId)?.downgradeResponse
  return downgrade ? downgrade(answer) : answer.body
}
