import { Worker } from 'node:worker_threads'
import { type ArchiveContent, type ArchiveEntry, layOutArchive } from './layout.ts'

/** An archive of fewer entries is laid out within milliseconds. */
const FEW = 500

let last: Promise<unknown> = Promise.resolve()

/**
 * Lays out an archive. A large one is laid out in a thread of its own, so that other requests go on, and one
 * at a time, so that the requests of one member do not take all the memory.
 */
export function layOutApart(content: ArchiveContent): Promise<ArchiveEntry[]> | ArchiveEntry[] {
  if (content.pages.length + content.files.length < FEW) return layOutArchive(content)
  const laidOut = last.then(() => inThread(content))
  last = laidOut.catch(() => {})
  return laidOut
}

function inThread(content: ArchiveContent): Promise<ArchiveEntry[]> {
  const { promise, resolve, reject } = Promise.withResolvers<ArchiveEntry[]>()
  new Worker(new URL('./layoutThread.ts', import.meta.url), { workerData: content })
    .once('message', resolve)
    .once('error', reject)
    .once('exit', () => reject(new Error('the thread ended without a layout')))
  return promise
}
