import { listMigrations } from '../protocol/environment/migrations.ts'
import { VERSION } from '../protocol/environment/version.ts'
import { schemaFiles } from './modules.ts'
import type { Schema } from './platform/db/migrations.ts'

const root = new URL('../', import.meta.url)

/**
 * The SQL of the database. Each file refers to tables of those before it. The migrations lead to the same
 * schema.
 */
export const schema: Schema = {
  root,
  version: VERSION,
  migrations: listMigrations(root, 'api/migrations/'),
  files: [
    'api/platform/db/schema.sql',
    'api/platform/db/partitions.sql',
    ...schemaFiles,
    'api/across.sql',
    'api/wakeups.sql',
  ],
  roles: 'api/roles.sql',
}
