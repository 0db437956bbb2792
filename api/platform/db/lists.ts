import { type RawBuilder, sql } from 'kysely'

/**
 * Any of a list, for `where(column, '=', anyOf(list))`. Unlike `in`, its SQL text is the same for lists of
 * all lengths.
 */
export function anyOf<Value>(list: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`any(${list})`
}
