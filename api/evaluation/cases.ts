import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type EvaluationCase, readCase } from './format.ts'

/** The project's own evaluation set. */
const OWN_CASES = join(import.meta.dirname, '../../evaluation')

/** Thrown for a file that is not an evaluation set. */
class EvaluationSetInvalid extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'EvaluationSetInvalid'
  }
}

/**
 * Reads evaluation sets. Each path is a file with a JSON list of cases, or a folder of such files. Without a
 * path, reads the project's own set. Throws an error that names the file, the case and the member that do not
 * fit evaluation/README.md.
 */
export async function readCases(paths: readonly string[] = [OWN_CASES]): Promise<EvaluationCase[]> {
  const cases: EvaluationCase[] = []
  for (const path of paths) {
    for (const file of await filesOf(path)) cases.push(...readList(file, await readFile(file, 'utf8')))
  }
  const from = paths.join(', ')
  if (cases.length === 0) throw new EvaluationSetInvalid(`${from}: there are no cases.`)
  const ids = new Set<string>()
  for (const { id } of cases) {
    if (ids.has(id)) throw new EvaluationSetInvalid(`${from}: there are several cases with the id ${id}.`)
    ids.add(id)
  }
  for (const { id, twin } of cases) {
    if (twin !== undefined && !ids.has(twin))
      throw new EvaluationSetInvalid(`${from}: case ${id}: twin: there is no case ${twin}.`)
  }
  return cases
}

async function filesOf(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new EvaluationSetInvalid(`${path}: there is no such file or folder.`)
  if (!found.isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => name.endsWith('.json'))
  return names.toSorted().map((name) => join(path, name))
}

function readList(file: string, text: string): EvaluationCase[] {
  const list = parsed(file, text)
  if (!Array.isArray(list)) throw new EvaluationSetInvalid(`${file}: must be a JSON list of cases.`)
  return list.map((item: unknown, place) => {
    const read = readCase(item)
    if ('given' in read) return read.given
    const name = typeof item === 'object' && item !== null && 'id' in item ? item.id : place + 1
    throw new EvaluationSetInvalid(
      [`${file}: case ${name} is not in the format of evaluation/README.md.`, ...read.problems].join('\n  '),
    )
  })
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new EvaluationSetInvalid(`${file}: is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}
