import { readFile } from 'node:fs/promises'
import { CompiledQuery } from 'kysely'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import {
  HISTORY,
  type History,
  type Migration,
  misfitOf,
  type Program,
} from '../../../protocol/environment/migrations.ts'
import type { Db } from './pool.ts'

/** The SQL of a database. */
export interface Schema extends Program {
  /** The folder that the paths are relative to. */
  root: URL
  /**
   * The schema as it stands, to be read: each file may refer to tables of earlier files. The migrations lead
   * to the same.
   */
  files: readonly string[]
  /**
   * States all privileges. It is applied each time, and last, so that it also covers the tables of the
   * queues.
   */
  roles: string
}

const UNDEFINED_TABLE = '42P01'

/** Returns the text of a migration, and its hash. */
export async function readMigration({ root }: Schema, { files }: Migration): Promise<{ text: string; sha256: string }> {
  const texts = await Promise.all(files.map((path) => readFile(new URL(path, root), 'utf8')))
  const text = texts.join('\n')
  return { text, sha256: sha256Hex(text) }
}

/** Returns what a database went through; nothing for one that was never migrated. */
export async function readHistory(db: Db): Promise<History> {
  try {
    const { rows } = await db.executeQuery(CompiledQuery.raw(HISTORY) as CompiledQuery<History>)
    return rows[0] ?? { migrations: [], versions: [] }
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return { migrations: [], versions: [] }
    throw error
  }
}

/** Throws an Error if a program must not work on a database. The message says what to do. */
export async function refuseMisfit(db: Db, schema: Schema): Promise<void> {
  const misfit = misfitOf(schema, await readHistory(db))
  if (misfit !== undefined) throw new Error(misfit)
}
