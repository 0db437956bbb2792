import { readFile } from 'node:fs/promises'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import type { Migration, Program } from '../../../protocol/environment/migrations.ts'

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

/** Returns the text of a migration, and its hash. */
export async function readMigration({ root }: Schema, { files }: Migration): Promise<{ text: string; sha256: string }> {
  const texts = await Promise.all(files.map((path) => readFile(new URL(path, root), 'utf8')))
  const text = texts.join('\n')
  return { text, sha256: sha256Hex(text) }
}
