import { join } from 'node:path'
import type { Program } from './isolate.ts'

const ROOT = join(import.meta.dirname, '../../..')
const HEAP_MEGABYTES = 400

/** A program of ours that reads one file in a child process. */
interface Child {
  /** The path of its script. */
  script: string
  /** The folders of its code, besides the packages. */
  code: readonly string[]
  /** What it is told before the path of the file. */
  args: readonly string[]
}

/** Returns a program in Node that may read its code and the file, and nothing else. */
export function nodeChild({ script, code, args }: Child): Program {
  const reads = [join(ROOT, 'node_modules'), join(ROOT, 'package.json'), ...code]
  return {
    reads: [...reads, process.execPath],
    command: (input) => [
      process.execPath,
      ...['--no-warnings', `--max-old-space-size=${HEAP_MEGABYTES}`, '--permission', '--allow-addons'],
      ...[...reads, input].map((path) => `--allow-fs-read=${path}`),
      ...[script, ...args, input],
    ],
  }
}
