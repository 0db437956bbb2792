import type { ColumnType } from 'kysely'

// The types of column values as pg returns them: int8 as bigint, timestamptz as Date, jsonb as its parsed value.
export type Time = ColumnType<Date, Date | undefined, Date>
export type MaybeTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** A date, written as 2026-05-17. Select it as text: pg makes it midnight in the process's time zone. */
export type Day = ColumnType<Date, string, string>
export type MaybeDay = ColumnType<Date | null, string | null | undefined, string | null>
type JsonText<Value> = null extends Value ? string | null : string
export type Json<Value> = ColumnType<Value, JsonText<Value>, JsonText<Value>>
