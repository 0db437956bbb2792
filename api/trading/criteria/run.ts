import { join } from 'node:path'
import { z } from 'zod'
import { type Limits, type Program, Refused, runIsolated } from '../../platform/isolation/isolate.ts'
import { type ByteCheck, type CheckResult, type ContentCheck, checkResult, type NumberedCheck } from './results.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SHARED = ['node_modules', 'package.json', 'api/platform/files', 'api/platform/zip'].map((path) =>
  join(ROOT, path),
)
const CODE = [...SHARED, import.meta.dirname]
const CHILD = join(import.meta.dirname, 'internal/child.ts')
const HEAP_MEGABYTES = 300
const LIMITS: Limits = { timeoutMs: 30_000, memoryBytes: 600_000_000, outputBytes: 100_000, overflow: 'refuse' }
/** For a larger file, only the size and the hash are checked. */
export const MAX_READ_BYTES = 16 * 1_048_576

/**
 * The bytes to check: where they are, how many, their SHA-256, and whether their seller delivered the same to
 * another before.
 */
export interface Bytes {
  path: string
  sizeBytes: bigint
  sha256: string
  isReused: boolean
}

/**
 * Makes checks of bytes. The checks that read bytes run in a child process; if the child fails or exceeds its
 * limits, its checks are not made.
 */
export async function runChecks(
  bubblewrap: string | undefined,
  { path, ...about }: Bytes,
  checks: readonly NumberedCheck<ByteCheck>[],
): Promise<CheckResult[]> {
  const { results, contents } = splitChecks(about, checks)
  const read = about.sizeBytes > MAX_READ_BYTES ? unchecked(contents) : await readContents(bubblewrap, path, contents)
  return [...results, ...read].toSorted((left, right) => left.number - right.number)
}

/** Makes the checks that need not read the bytes, and returns the others beside their results. */
export function splitChecks(
  { sizeBytes, sha256, isReused }: Omit<Bytes, 'path'>,
  checks: readonly NumberedCheck<ByteCheck>[],
): { results: CheckResult[]; contents: NumberedCheck<ContentCheck>[] } {
  const results: CheckResult[] = []
  const contents: NumberedCheck<ContentCheck>[] = []
  for (const { number, check } of checks) {
    if (check.kind === 'size') {
      const { min_bytes: least = 0, max_bytes: most = Number.MAX_SAFE_INTEGER } = check
      const found = Number(sizeBytes)
      results.push({ number, kind: check.kind, result: passIf(found >= least && found <= most), found })
    } else if (check.kind === 'sha256') {
      results.push({ number, kind: check.kind, result: passIf(check.sha256 === sha256) })
    } else if (check.kind === 'exclusive') results.push({ number, kind: check.kind, result: passIf(!isReused) })
    else contents.push({ number, check })
  }
  return { results, contents }
}

function passIf(isPassed: boolean): CheckResult['result'] {
  return isPassed ? 'pass' : 'fail'
}

/** The results of checks that could not be made. */
export function unchecked(checks: readonly NumberedCheck<ByteCheck>[]): CheckResult[] {
  return checks.map(({ number, check: { kind } }) => ({ number, kind, result: 'unchecked' }))
}

async function readContents(
  bubblewrap: string | undefined,
  path: string,
  checks: readonly NumberedCheck<ContentCheck>[],
): Promise<CheckResult[]> {
  if (checks.length === 0) return []
  try {
    const { bytes } = await runIsolated(bubblewrap, program(checks), path, LIMITS)
    return z.array(checkResult).length(checks.length).parse(JSON.parse(bytes.toString()))
  } catch (error) {
    if (error instanceof Refused) return unchecked(checks)
    throw error
  }
}

function program(checks: readonly NumberedCheck<ContentCheck>[]): Program {
  return {
    reads: [...CODE, process.execPath],
    command: (input) => [
      process.execPath,
      ...['--no-warnings', `--max-old-space-size=${HEAP_MEGABYTES}`, '--permission'],
      ...[...CODE, input].map((path) => `--allow-fs-read=${path}`),
      ...[CHILD, JSON.stringify(checks), input],
    ],
  }
}
