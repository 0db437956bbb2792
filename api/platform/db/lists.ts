import { type RawBuilder, sql } from 'kysely'

/** Any of a list, for `where(column, '=', anyOf(list))`: one text for lists of all lengths, which `in` has not. */
export function anyOf<Value>(list: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`any(${list})`
}
