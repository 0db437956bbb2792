import type { Expression, Selectable, SqlBool, Transaction, UpdateType } from 'kysely'
import type { Database } from './generated/tables.ts'
import { anyOf } from './lists.ts'
import type { Tx } from './pool.ts'

/** A transition of a lifecycle: the states that it may start from, and the state that it leads to. */
export interface Transition<State extends string = string> {
  from: readonly State[]
  to: State
}

/** Values of columns that a transition sets besides the state. */
export type Changes<Columns> = { [Column in keyof Columns]?: UpdateType<Columns[Column]> | Expression<unknown> }

/**
 * Returns the function that moves rows of a table along their lifecycle. It runs one conditional UPDATE on
 * the rows that a condition selects, if the named transition may start from their state (a column of the
 * table), and returns the updated rows.
 */
export function lifecycle<Table extends keyof Database, Name extends string>(
  table: Table,
  column: keyof Database[Table] & string,
  transitions: Readonly<Record<Name, Transition>>,
) {
  type Columns = Database[Table]
  return async (
    tx: Tx,
    which: Expression<SqlBool>,
    name: Name,
    changes: Changes<Columns> = {},
  ): Promise<Selectable<Columns>[]> => {
    const { from, to } = transitions[name]
    // Kysely infers nothing about a table that is a parameter.
    const moved = await (tx as unknown as Transaction<Record<string, Record<string, unknown>>>)
      .updateTable(table as string)
      .set({ ...changes, [column]: to })
      .where(which)
      .where(column as string, '=', anyOf(from))
      .returningAll()
      .execute()
    return moved as Selectable<Columns>[]
  }
}
