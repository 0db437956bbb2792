import { z } from 'zod'
import { databaseVariable, readEnvironment } from '../protocol/environment.ts'

// What any program needs of the machine it runs on. Nothing else of our environment reaches the processes we start.
const MACHINE_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE']

const migrateSchema = z.object({ DATABASE_URL: databaseVariable })
const sandboxSchema = z.object({
  DATABASE_URL: databaseVariable.optional(),
  RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
})

/** The variables that every process we start inherits. */
export function machineEnvironment(): Record<string, string> {
  return Object.fromEntries(
    MACHINE_VARIABLES.flatMap((name) => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )
}

/** The database that `./market migrate` is told of. Throws an Error that says what is wrong. */
export function readMigrateEnvironment(): z.output<typeof migrateSchema> {
  return readEnvironment(migrateSchema, process.env)
}

/** What a sandbox uses instead of starting its own, where it is told to. Throws an Error that says what is wrong. */
export function readSandboxEnvironment(): z.output<typeof sandboxSchema> {
  return readEnvironment(sandboxSchema, process.env)
}

/** Sets variables for the test processes, which get all of our environment. */
export function setForChildren(variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables)
}
