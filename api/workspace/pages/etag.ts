import { Problem } from '../../errors.ts'
import { invalid } from '../../platform/http/input.ts'

const TAG = /^"([1-9][0-9]{0,8})"$/

/** Returns the entity tag of a page at a version (RFC 9110, 8.8.3). */
export function pageTag(version: number): string {
  return `"${version}"`
}

/**
 * Returns the version that an edit was made to: that of If-Match, or without one, or with `*`, the current one. Throws 400
 * for what is no tag of a page, and 412 for that of a version that is not there.
 */
export function baseVersion(header: string | undefined, current: number): number {
  const given = header?.trim()
  if (given === undefined || given === '*') return current
  const [, number] = TAG.exec(given) ?? []
  if (number === undefined) throw invalid('If-Match', 'must be the ETag of the page as you read it')
  if (Number(number) <= current) return Number(number)
  throw new Problem('workspace/page-conflict', {
    detail: `The page is at version ${current}, and If-Match names a later one. Read it again.`,
    field: 'If-Match',
  })
}
