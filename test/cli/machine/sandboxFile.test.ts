import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { freePort } from '../../../cli/machine/ports.ts'
import { isRunning } from '../../../cli/machine/sandboxFile.ts'

const AGES_MS = 30_000

describe('a sandbox that is on file', () => {
  it('runs while it answers late, and does not where nobody listens or something else does', async () => {
    const server = createServer((request, response) => {
      if (request.url !== '/healthz') response.writeHead(404).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await isRunning({ base_url }, 50)).to.equal(true)
    expect(await isRunning({ base_url: `http://127.0.0.1:${await freePort()}` }, AGES_MS)).to.equal(false)
    server.closeAllConnections()
    server.removeAllListeners('request').on('request', (_, response) => response.writeHead(404).end())
    expect(await isRunning({ base_url }, AGES_MS)).to.equal(false)
    server.close()
  })
})
