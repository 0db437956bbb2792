import { Problem } from '../../errors.ts'
import { invalid } from '../../platform/http/serve/input.ts'
import { pageProblems } from './problems.ts'

const TAG = /(W\/)?"([^"]*)"/g
const VERSION = /^[1-9][0-9]{0,8}$/

/** Returns the entity tag of a page at a version (RFC 9110, 8.8.3). */
export function pageTag(version: number): string {
  return `"${version}"`
}

/**
 * Returns the version that an edit was made to: the version of If-Match, or the current one if there is no
 * If-Match or it is `*`. Throws 400 if If-Match is not a list of tags, and 412 if none of its tags is that of
 * one version of the page.
 */
export function baseVersion(header: string | undefined, current: number): number {
  const versions = versionsIn(header)
  if (versions === undefined || versions.includes(current)) return current
  const [base, ...others] = versions.filter((version) => version < current)
  if (base !== undefined && others.length === 0) return base
  const what = base === undefined ? 'no version of it' : 'several earlier ones: send that alone which you edited'
  throw conflict(`The page is at version ${current}, and If-Match names ${what}. ${TO_DO}`)
}

/** Throws 412 unless a page is at the version of If-Match, and 400 if If-Match is not a list of tags. */
export function requireCurrent(header: string | undefined, current: number): void {
  const versions = versionsIn(header)
  if (versions === undefined || versions.includes(current)) return
  throw conflict(`The page is at version ${current}, and If-Match does not name that. ${TO_DO}`)
}

const TO_DO = 'Read the page again, and send its ETag as it is.'

/**
 * Undefined for any version. A weak tag matches no version: If-Match compares strongly (RFC 9110, 13.1.1).
 */
function versionsIn(header: string | undefined): number[] | undefined {
  const given = header?.trim()
  if (given === undefined || given === '*') return undefined
  const tags = [...given.matchAll(TAG)]
  if (tags.length === 0 || /[^,\s]/.test(given.replaceAll(TAG, ''))) {
    throw invalid('If-Match', 'must be the ETag of the page as you read it, in its quotes')
  }
  return tags.flatMap(([, weak, tag = '']) => (weak === undefined && VERSION.test(tag) ? [Number(tag)] : []))
}

function conflict(detail: string): Problem {
  return new Problem(pageProblems.pageConflict, { detail, field: 'If-Match' })
}
