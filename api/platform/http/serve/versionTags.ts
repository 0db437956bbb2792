import { invalid } from './input.ts'

const TAG = /(?:W\/)?"([^"]*)"/g
// Compressing proxies mark a tag: nginx makes it weak, Apache and Caddy append the encoding.
const VERSION = /^([1-9][0-9]{0,8})(?:--?(?:gzip|br|zstd|deflate))?$/

/** Returns the entity tag of something at a version (RFC 9110, 8.8.3). */
export function versionTag(version: number): string {
  return `"${version}"`
}

/**
 * Returns the versions that an If-Match header names: undefined for any version, if the header is absent or
 * `*`. A weak tag counts as a strong one, because a version is the same however its answer was compressed.
 * Throws 400 if the header is not a list of tags.
 */
export function matchedVersions(header: string | undefined): number[] | undefined {
  const given = header?.trim()
  if (given === undefined || given === '*') return undefined
  const tags = [...given.matchAll(TAG)]
  if (tags.length === 0 || !/^[,\s]*$/.test(given.replaceAll(TAG, ''))) {
    throw invalid('If-Match', 'must be the ETag that you read, in its double quotes')
  }
  return tags.flatMap(([, tag = '']) => VERSION.exec(tag)?.[1] ?? []).map(Number)
}
