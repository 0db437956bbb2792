import { parentPort } from 'node:worker_threads'
import type { Liability } from './liabilities.ts'
import type { ToThread } from './thread.ts'
import { TreeBuilder } from './tree.ts'

// The thread's side of TreeThread: it hashes while the rest of the worker runs its jobs.

const builder = new TreeBuilder()

parentPort?.on('message', (message: ToThread) => {
  if (message !== 'build') builder.add(message satisfies readonly Liability[])
  else {
    const tree = builder.build()
    // Transferred, not copied: a copy would block the main thread.
    const buffers = [
      ...tree.levels,
      ...tree.pages.flatMap(({ accountIds, amountsMicros, salts, positions }) => [
        accountIds,
        amountsMicros,
        salts,
        positions,
      ]),
    ]
    parentPort?.postMessage(tree, [...new Set(buffers.map(({ buffer }) => buffer as ArrayBuffer))])
    parentPort?.close()
  }
})
