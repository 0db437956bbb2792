import { parentPort } from 'node:worker_threads'
import { findLinks } from './markdown.ts'

// The side of LinkReader that runs in the thread.

parentPort?.on('message', (text: string) => parentPort?.postMessage(findLinks(text)))
