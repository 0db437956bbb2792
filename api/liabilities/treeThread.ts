import { parentPort } from 'node:worker_threads'
import type { Claim } from './claims.ts'
import type { ToThread } from './thread.ts'
import { TreeBuilder } from './tree.ts'

// What a thread does for TreeThread: it hashes while the rest of the worker goes on with its jobs.

const builder = new TreeBuilder()

parentPort?.on('message', (message: ToThread) => {
  if (message !== 'build') builder.add(message satisfies readonly Claim[])
  else {
    const tree = builder.build()
    // Handed over, not copied: the other side would stand still for that.
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
