import { readFileSync } from 'node:fs'
import { ROOT } from '../../machine/paths.ts'

/** Where the releases are recorded, and the database of each. */
export const RELEASES = `${ROOT}releases.json`

/** A version that was given out. */
export interface Release {
  version: string
  /** The commit whose tree it is. */
  commit: string
  /** Its newest migration. */
  schema: string
  /** The SHA-256 of the hashes of its migrations, one after the other. */
  schema_sha256: string
  /** The SHA-256 of test/releases/<version>.sql.gz. */
  database_sha256: string
}

/** Returns the releases, oldest first. */
export function readReleases(): Release[] {
  return JSON.parse(readFileSync(RELEASES, 'utf8'))
}

/** Returns where the database of a release is kept. */
export function releasedDatabase(version: string): string {
  return `${ROOT}test/releases/${version}.sql.gz`
}
