import { type RawBuilder, sql } from 'kysely'
import type { UrnPrefix } from '../../../protocol/encoding/urn.ts'

/**
 * Replaces text that a person wrote. The database allows no other change of an ask's terms
 * (market.refuse_change_of_terms).
 */
export const ERASED_WORDS = '[erased]'

/** The domain of the addresses of erased people; mail to it is never delivered (RFC 2606). */
export const ERASED_DOMAIN = 'erased.invalid'

/** A human whose personal data is erased or exported, in SQL. */
export interface Person {
  id: string
  /** Selects the ids of their agents. */
  agents: RawBuilder<unknown>
  /** Selects the URNs by which they and their agents are named as authors. */
  authors: RawBuilder<unknown>
  /** Selects the ids of the orgs that have no other member. */
  loneOrgs: RawBuilder<unknown>
}

type Rows = (person: Person) => RawBuilder<boolean>

/**
 * The personal data of a table, and what erasure does to it. Every column of the database is listed in one of
 * these members or as `plain`, and a test compares them with the schema: a new column must be added to its
 * folder's `module.ts`.
 */
export interface TableRule {
  /** Deletes a person's rows, because of these columns. */
  deleted?: { rows: Rows; columns: readonly string[] }
  /** Overwrites these columns in a person's rows. */
  overwritten?: { rows: Rows; columns: Record<string, RawBuilder<unknown>> }
  /** Columns that the schema's market.erase_human empties, or deletes with their rows. */
  emptied?: readonly string[]
  /**
   * Columns that identify a person through a wallet or a signature, and are kept: the reason, and the
   * columns.
   */
  kept?: { because: string; columns: readonly string[] }
  /**
   * Columns without personal data: numbers, times, states, hashes, and ids that no longer lead to a person.
   */
  plain?: readonly string[]
}

/** One kind of record in an export. */
export interface Section {
  name: string
  /** Its rows are uploads, each stored in the blob store under its row's id; the bytes are included. */
  hasBlobs?: true
  /** Selects (id, document) for every record of this kind that a human or their agents have. */
  rows: (person: Person) => RawBuilder<unknown>
}

/** The personal data in a folder's tables. */
export interface PersonalData {
  /** The rule of each table. Erasure applies them from top to bottom. */
  tables: Readonly<Record<string, TableRule>>
  /**
   * The sections of an export. No section has secrets, because they are not stored. For the other party to a
   * trade it includes the agent's URN and the data that the agent sent, but not the human behind the agent.
   */
  sections?: readonly Section[]
}

export const WORDS = sql`${ERASED_WORDS}::text`
export const NOTHING = sql`null`
export const NONE = sql`'[]'::jsonb`
export const ON_CHAIN = 'The chain shows it to everyone for ever, and money is matched, booked and paid back by it.'

/** The rows in which a column is the human's id. */
export function isOwn(column: string): Rows {
  return ({ id }) => sql`${sql.ref(column)} = ${id}`
}

/** The rows in which a column is the id of one of their agents. */
export function isAgents(column: string): Rows {
  return ({ agents }) => sql`${sql.ref(column)} in ${agents}`
}

/** The rows of orgs whose only member they are. */
export function isOfLoneOrg({ loneOrgs }: Person): RawBuilder<boolean> {
  return sql`org_id in ${loneOrgs}`
}

/** The URN of a thing whose id is in a column, as text. */
export function urnText(prefix: UrnPrefix, column: string): RawBuilder<string> {
  return sql`${`market:${prefix}:`}::text || ${sql.ref(column)}`
}

/** The amount of a column of micro-units, as on the wire. */
export function amountText(column: string): RawBuilder<string> {
  return sql`(${sql.ref(column)}::numeric / 1000000)::numeric(20, 6)::text`
}

/** The time of a column, as on the wire. */
export function timeText(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
