import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { z } from 'zod'
import { Problem } from '../../../errors.ts'
import { closed } from '../route/schemas.ts'
import { readStream } from './body.ts'
import { invalid, type RawInput, validate } from './input.ts'
import { httpProblems } from './problems.ts'

const FILE = 'file'
const LIMITS = { fieldNameSize: 100, fieldSize: 4_096, fields: 20, files: 2, parts: 22, headerPairs: 20 }

/** The file of a form. */
export interface FormFile {
  /** The name that its sender gave it, without folders; undefined without one. */
  filename: string | undefined
  bytes: Readable
}

/**
 * Reads a multipart form whose last part is `file`. Hands over the file as it arrives, with the parsed fields
 * before it. An empty field counts as absent. Returns what `take` returns once the whole form has arrived.
 * Throws 415 for another kind of body, 400 for invalid fields, and what `take` throws.
 */
export async function readForm<Schema extends z.ZodObject, Taken>(
  raw: RawInput,
  schema: Schema,
  take: (fields: z.output<Schema>, file: FormFile) => Promise<Taken>,
): Promise<Taken> {
  const parser = openParser(raw)
  const source = Readable.from(readStream(raw.stream))
  const given: Record<string, string> = {}
  const failure = Promise.withResolvers<never>()
  let taken: Promise<Taken> | undefined
  let file: Readable | undefined
  parser.on('field', (name: string, value: string, _nameCut: boolean, isCut: boolean) => {
    if (taken) failure.reject(invalid(name, `must come before ${FILE}`))
    else if (name in given) failure.reject(invalid(name, 'may be given only once'))
    else if (isCut) failure.reject(invalid(name, `may have at most ${LIMITS.fieldSize} bytes`))
    else if (value !== '') given[name] = value
  })
  parser.on(FILE, (_name: string, bytes: Readable, filename: string | undefined) => {
    if (taken) {
      bytes.resume()
      failure.reject(invalid(FILE, 'may be given only once'))
      return
    }
    // Its reader gets its errors; without a reader they would end the process.
    file = bytes.on('error', () => {})
    taken = Promise.try(() => take(fieldsOf(schema, given), { filename, bytes }))
    taken.catch(failure.reject)
  })
  failure.promise.catch(() => {})
  parser.on('error', () => {})
  try {
    await Promise.race([pipeline(source, parser), failure.promise])
    if (!taken) throw invalid(FILE, 'is missing')
    return await Promise.race([taken, failure.promise])
  } catch (error) {
    const reason = error instanceof Problem ? error : malformed()
    file?.destroy(reason)
    source.destroy()
    // The storing of the file ends before the request does.
    await taken?.catch(() => {})
    throw reason
  }
}

function fieldsOf<Schema extends z.ZodObject>(schema: Schema, given: Record<string, string>): z.output<Schema> {
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!(name in given) && !field.safeParse(undefined).success) {
      throw invalid(name, `is missing before ${FILE}: the fields of a form come first`)
    }
  }
  return validate(closed(schema), given) as z.output<Schema>
}

function openParser(raw: RawInput): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': raw.header('content-type') ?? '' },
      limits: LIMITS,
      isPartAFile: (name) => name === FILE,
    })
  } catch {
    throw new Problem(httpProblems.unsupportedMediaType, { detail: 'Send the body as multipart/form-data.' })
  }
}

function malformed(): Problem {
  return new Problem(httpProblems.malformed, { detail: 'The body is not a complete multipart form.' })
}
