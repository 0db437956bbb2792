import type { ColumnType } from 'kysely'

// The types of column values as pg returns them: int8 as bigint, timestamptz as Date, jsonb as its parsed value.
export type Time = ColumnType<Date, Date | undefined, Date>
export type MaybeTime = ColumnType<Date | null, Date | null | undefined, Date | null>
type JsonText<Value> = null extends Value ? string | null : string
export type Json<Value> = ColumnType<Value, JsonText<Value>, JsonText<Value>>
