import { parentPort, workerData } from 'node:worker_threads'
import { type ArchiveContent, layOutArchive } from './layout.ts'

// The side of layOutApart that runs in the thread.

parentPort?.postMessage(layOutArchive(workerData as ArchiveContent))
