import { parentPort } from 'node:worker_threads'
import { findLinks } from './markdown.ts'

// The thread's side of LinkReader.

parentPort?.on('message', (text: string) => parentPort?.postMessage(findLinks(text)))
