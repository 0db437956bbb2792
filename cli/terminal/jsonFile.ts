import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** Reads a JSON file. Throws an error that names the file if it is not JSON or does not fit the schema. */
export async function readJson<Value>(path: string, schema: z.ZodType<Value>): Promise<Value> {
  const read = schema.safeParse(parsed(path, await readFile(path, 'utf8')))
  if (read.success) return read.data
  throw new Error(`${path} is not what it should be: ${z.prettifyError(read.error)}`)
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${path} is no JSON, or not all of it`)
  }
}
