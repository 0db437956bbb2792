import type { z } from 'zod'
import { CURRENT_VERSION, type MarketVersion } from '../platform/http/route/versions.ts'
import { problemType as currentProblemType } from '../platform/http/serve/problem.ts'
import type { VersionAdapters } from '../platform/http/serve/services.ts'
import * as version20260505 from './2026-05-05.ts'
import type { Adapter, Adapters } from './adapter.ts'

/** The differences of an older version. */
interface OlderVersion {
  adapters: Adapters
  /** The headers of its answers. */
  headers: Record<string, string>
  problemType: (problem: string, baseUrl: string) => string
}

const olderVersions: Record<Exclude<MarketVersion, typeof CURRENT_VERSION>, OlderVersion> = {
  '2026-05-05': version20260505,
}

function olderVersion(version: MarketVersion): OlderVersion | undefined {
  return version === CURRENT_VERSION ? undefined : olderVersions[version]
}

function adapterOf(version: MarketVersion, operationId: string): Adapter | undefined {
  return olderVersion(version)?.adapters[operationId]
}

/** The headers of an answer that name its version and, for an older one, until when it is supported. */
function versionHeaders(version: MarketVersion): Record<string, string> {
  return { 'Market-Version': version, ...olderVersion(version)?.headers }
}

/** The type of a problem in a version. */
function problemType(version: MarketVersion, problem: string, baseUrl: string): string {
  return olderVersion(version)?.problemType(problem, baseUrl) ?? currentProblemType(problem)
}

/** The types of a problem in the older versions. */
function olderProblemTypes(problem: string, baseUrl: string): string[] {
  return Object.values(olderVersions).map((older) => older.problemType(problem, baseUrl))
}

/**
 * The shapes in which older versions answer an operation with a status, where they differ from the current
 * one.
 */
function olderAnswers(operationId: string, status: number): z.ZodType[] {
  return Object.values(olderVersions).flatMap(({ adapters }) => adapters[operationId]?.answers?.[status] ?? [])
}

/** A request body in the current version's shape. */
function upgradeRequest(version: MarketVersion, operationId: string, body: unknown): unknown {
  const upgrade = adapterOf(version, operationId)?.upgradeRequest
  return upgrade ? upgrade(body) : body
}

/** An answer's body in the shape of the version that was asked for. */
function downgradeResponse(
  version: MarketVersion,
  operationId: string,
  answer: { status: number; body: unknown },
): unknown {
  const downgrade = adapterOf(version, operationId)?.downgradeResponse
  return downgrade ? downgrade(answer) : answer.body
}

/** How requests and answers of the older versions differ from the current one. */
export const versionAdapters: VersionAdapters = {
  upgradeRequest,
  downgradeResponse,
  versionHeaders,
  problemType,
  olderProblemTypes,
  olderAnswers,
}
