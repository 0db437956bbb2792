import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { bearer, openEventSource, openSocket } from '../kit/api/platform/events/receivers.ts'
import { startWorkspace, type Workspace } from '../kit/api/workspace/world.ts'
import { connectHttp } from '../kit/mcp/agent.ts'
import { missingWebProxy, startWebProxy, type WebProxy, type WebProxyName } from '../kit/stack/webProxy.ts'
import { until } from '../kit/until.ts'

const MEGABYTE = 1_048_576
const TUS = { 'tus-resumable': '1.0.0' }

describe('the proxies of the documentation', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const storedBytes = () => {
    const folder = world.api.settings.blobDirectory
    if (!existsSync(folder)) return 0
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  }

  for (const name of ['nginx', 'haproxy'] as const satisfies readonly WebProxyName[]) {
    describe(name, { skip: missingWebProxy(name) ?? false }, () => {
      let proxy: WebProxy
      before(async () => {
        proxy = await startWebProxy(name, [world.api.baseUrl])
      })
      after(() => proxy?.stop())

      it('passes an upload as it comes, so that what was sent before an interruption is kept', async () => {
        const authorization = `Bearer ${world.ada.token}`
        const content = randomBytes(4 * MEGABYTE)
        const metadata = { org: world.slug, page: world.page.id, insert: 'none', filename: `${name}.bin` }
        const created = await fetch(`${proxy.baseUrl}/uploads`, {
          method: 'POST',
          headers: {
            ...{ authorization, ...TUS, 'upload-length': String(content.length) },
            'upload-metadata': Object.entries(metadata)
              .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
              .join(','),
          },
        })
        expect(created.status).to.equal(201)
        const url = proxy.baseUrl + new URL(String(created.headers.get('location')), proxy.baseUrl).pathname
        const headers = { authorization, ...TUS, 'content-type': 'application/offset+octet-stream' }
        const stored = storedBytes()
        const half = request(url, {
          method: 'PATCH',
          headers: { ...headers, 'upload-offset': 0, 'content-length': content.length },
        })
        half.on('error', () => {})
        half.write(content.subarray(0, 3 * MEGABYTE))
        // Before the request has ended.
        await until('the API has most of the half', () => storedBytes() > stored + 2 * MEGABYTE)
        half.destroy()
        const offsetOf = async () => {
          const { status, headers: told } = await fetch(url, { method: 'HEAD', headers: { authorization, ...TUS } })
          return status === 200 ? Number(told.get('upload-offset')) : undefined
        }
        const offset = await until('the upload is free again', offsetOf, (found) => found !== undefined)
        expect(offset).to.be.above(2 * MEGABYTE)
        const rest = await fetch(url, {
          method: 'PATCH',
          headers: { ...headers, 'upload-offset': String(offset) },
          body: content.subarray(offset),
        })
        expect(rest.status).to.equal(204)
        expect(rest.headers.get('workspace-attachment')).to.be.a('string')
      })

      it('passes events as they happen, by stream and by socket', async () => {
        const query = '?subjects=attachment.*,*'
        const { source, inbox } = await openEventSource(proxy.baseUrl, world.ada.token, query)
        const { socket, inbox: other } = await openSocket(proxy.baseUrl, [bearer(world.ada.token)], query)
        try {
          await world.attach(world.page, `of ${name}`)
          for (const one of [inbox, other]) {
            const [event] = await one.until(({ length }) => length === 1)
            expect(event?.event_type).to.equal('attachment.created')
          }
        } finally {
          source.close()
          socket.close()
        }
      })

      it('passes the tools of agents [risk reverse-proxy]', async () => {
        const tools = await connectHttp(proxy.baseUrl, world.agent.token)
        try {
          expect(tools.tools).to.include('search_asks')
        } finally {
          await tools.close()
        }
      })
    })
  }
})
