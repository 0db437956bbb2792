import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

// The least that an upload can cost: each body goes to a file, its SHA-256 is taken on the way. A program of
// its own: argv: the folder, the port.

const [folder = '', port] = process.argv.slice(2)

const server = createServer(async (request, response) => {
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform: (chunk, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(request, hashing, createWriteStream(join(folder, 'floor.bin')))
  response.end(hash.digest('hex'))
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port })}\n`))
