import { Problem } from '../../errors.ts'
import { httpProblems } from '../../platform/http/serve/problems.ts'
import { askProblems } from './problems.ts'

const LIST_OF_TAGS = /^(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*$/

/** Returns the entity tag of an ask at a version (RFC 9110, 8.8.3). */
export function versionTag(version: number): string {
  return `"${version}"`
}

/**
 * Accepts an If-Match header that is absent, `*`, or lists the tag of this version. Throws 412 if it lists
 * only other tags: the ask was changed meanwhile. Weak tags never match (RFC 9110, 13.1.1). Throws 400 for a
 * malformed list.
 */
export function requireMatch(header: string | undefined, version: number): void {
  const given = header?.trim()
  if (given === undefined || given === '*') return
  if (!LIST_OF_TAGS.test(given)) {
    throw new Problem(httpProblems.invalid, {
      detail: 'If-Match: must be the ETag of the version you read, in its double quotes.',
      field: 'If-Match',
    })
  }
  if (given.split(',').some((tag) => tag.trim() === versionTag(version))) return
  throw new Problem(askProblems.versionMismatch, {
    detail: `The ask is at version ${version} by now, and If-Match names another. Read it again and decide anew.`,
    field: 'If-Match',
  })
}
