/** Asks for the session's path without resolving a name, which whoever made a schema on the path could have taken. */
export const SEARCH_PATH = 'show search_path'

/** A row of SEARCH_PATH. */
export interface SearchPath {
  search_path: string
}

/**
 * Returns why a process must not use a session with this path, or undefined if the path is empty. On any other path, whoever
 * may make a schema or a function there chooses what the names of our statements mean.
 */
export function searchPathFault(rows: readonly SearchPath[]): string | undefined {
  const path = rows[0]?.search_path
  // As PostgreSQL shows an empty path, set by set_config() or by SET.
  if (path === '' || path === '""') return undefined
  return `the search_path of the database is ${path}, and must be empty: run \`./market migrate\` as its owner, and set no other for the role`
}
