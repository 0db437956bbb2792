import { createHmac, randomBytes } from 'node:crypto'
import { createPostgresBackend, Worker } from 'bullmq'

export const BARE_QUEUE = 'bare'
const CONCURRENCY = 100
const SECRET = randomBytes(32)

/** What is sent, and where to. */
export interface BareJob {
  url: string
  body: string
}

const [, file = '', connectionString] = process.argv
// The bench imports the queue's name from here.
if (connectionString && file === import.meta.filename) {
  const connection = { connectionString, max: 10 }
  const worker = new Worker(
    BARE_QUEUE,
    ({ data }) => send(data),
    { connection, concurrency: CONCURRENCY },
    createPostgresBackend,
  )
  worker.on('error', () => {})
  worker.on('ready', () => process.send?.('ready'))
}

async function send({ url, body }: BareJob): Promise<void> {
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')
  const response = await fetch(url, { method: 'POST', body, headers: { 'X-Signature': signature } })
  await response.arrayBuffer()
}
