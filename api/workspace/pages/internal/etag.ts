import { Problem } from '../../../errors.ts'
import { matchedVersions } from '../../../platform/http/serve/versionTags.ts'
import { pageProblems } from '../problems.ts'

/**
 * Returns the version that an edit was made to: the version of If-Match, or the current one if there is no
 * If-Match or it is `*`. Throws 400 if If-Match is not a list of tags, and 412 if none of its tags is that of
 * one version of the page.
 */
export function baseVersion(header: string | undefined, current: number): number {
  const versions = matchedVersions(header)
  if (versions === undefined || versions.includes(current)) return current
  const [base, ...others] = versions.filter((version) => version < current)
  if (base !== undefined && others.length === 0) return base
  const what = base === undefined ? 'no version of it' : 'several earlier ones: send that alone which you edited'
  throw conflict(`The page is at version ${current}, and If-Match names ${what}. ${TO_DO}`)
}

/** Throws 412 unless a page is at the version of If-Match, and 400 if If-Match is not a list of tags. */
export function requireCurrent(header: string | undefined, current: number): void {
  const versions = matchedVersions(header)
  if (versions === undefined || versions.includes(current)) return
  throw conflict(`The page is at version ${current}, and If-Match does not name that. ${TO_DO}`)
}

const TO_DO = 'Read the page again, and send its ETag as it is.'

function conflict(detail: string): Problem {
  return new Problem(pageProblems.pageConflict, { detail, field: 'If-Match' })
}
