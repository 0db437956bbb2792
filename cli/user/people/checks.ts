import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { byteChecks, type CheckResult } from '../../../api/trading/criteria/results.ts'
import { runChecks } from '../../../api/trading/criteria/run.ts'
import { type Criterion, measureMembers } from '../../../api/trading/criteria/schema.ts'
import { readJson } from '../../terminal/jsonFile.ts'

const measured = z.looseObject({ criteria: measureMembers.criteria.unwrap() })

/**
 * Returns the criteria in a file: an ask, an order, a bid or a quote as the API answers it. Throws an Error
 * for any other file.
 */
export async function readCriteria(path: string): Promise<readonly Criterion[]> {
  return (await readJson(path, measured)).criteria
}

/**
 * Returns the results of the checks of a file, made on this machine by the program that the service runs,
 * with the same limits. What only the service knows, whether the seller delivered the same bytes to another,
 * is `unchecked`.
 */
export async function checkFile(path: string, criteria: readonly Criterion[]): Promise<CheckResult[]> {
  const bytes = await readFile(path)
  const about = { path: resolve(path), sizeBytes: BigInt(bytes.length), sha256: hash('sha256', bytes), isReused: false }
  const results = await runChecks(undefined, about, byteChecks(criteria))
  return results.map((one) => (one.kind === 'exclusive' ? { ...one, result: 'unchecked' } : one))
}
