/**
 * Reads the session's path without resolving a name: anyone who made a schema on the path could have
 * redefined the name.
 */
export const SEARCH_PATH = 'show search_path'

/** A row of SEARCH_PATH. */
export interface SearchPath {
  search_path: string
}

/**
 * Returns why a process must not use a session with this path, or undefined if the path is empty. With any
 * other path, anyone who may create a schema or a function on it decides what the names in our statements
 * mean.
 */
export function searchPathFault(rows: readonly SearchPath[]): string | undefined {
  const path = rows[0]?.search_path
  // PostgreSQL shows an empty path in two forms: as set by set_config(), or by SET.
  if (path === '' || path === '""') return undefined
  return `the search_path of the database is ${path}, and must be empty: run \`./market migrate\` as its owner, and set no other for the role`
}
