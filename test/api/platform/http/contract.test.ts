import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { z } from 'zod'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import { resolve } from '../../../kit/api/platform/http/contract/document.ts'

const operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().optional() }))
    .default([]),
  requestBody: z.looseObject({ required: z.boolean() }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), z.unknown()).optional() })),
})
const document = z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), operation)) })

describe('the contract at /openapi.json', () => {
  let api: Api
  let operations: { method: string; path: string; operation: z.infer<typeof operation> }[]
  before(async () => {
    api = await startApi()
    const { body } = await api.send('GET', '/openapi.json')
    const { openapi, paths } = document.parse(resolve(body, body))
    expect(openapi).to.equal('3.1.0')
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
  })
  after(() => api.stop())

  it('writes what operations share once: all of it is below 5 kB an operation', async () => {
    const { body } = await api.send('GET', '/openapi.json')
    expect(JSON.stringify(body).length / operations.length).to.be.below(5_000)
  })

  it('names each operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(ids).to.include.members(['getPublicConfig', 'mintToken', 'placeOrder', 'getHealth', 'getOpenApi'])
  })

  const isWorkspace = (path: string) => /^\/(orgs|uploads|files|mail|me|quarantine)(\/|$)/.test(path)

  it('asks for a version on every write, and on reads takes one; the workspace has none [spec 9:3 9:11]', () => {
    for (const { method, path, operation } of operations) {
      const version = operation.parameters.find(
        ({ name, in: place }) => name === 'Market-Version' && place === 'header',
      )
      expect(version !== undefined, operation.operationId).to.equal(!isWorkspace(path))
      expect(version?.required ?? false, operation.operationId).to.equal(method !== 'GET' && !isWorkspace(path))
    }
  })

  it('tells every problem of the way to an operation [spec 7:1]', () => {
    for (const { method, path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      expect(statuses, path).to.include.members(['400', '500', '503'])
      if (operation.security.length > 0) expect(statuses, path).to.include.members(['401', '403'])
      if (method !== 'GET') expect(statuses, path).to.include.members(['413', '415'])
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const isProblem = content !== undefined && 'application/problem+json' in content
        expect(isProblem, `${path} ${status}`).to.equal(Number(status) >= 400 && status !== '402')
      }
    }
  })

  it('offers every CSV with a byte order mark', () => {
    const files = operations.filter(
      ({ operation }) => 'text/csv; charset=utf-8' in (operation.responses[200]?.content ?? {}),
    )
    expect(files.length).to.be.above(1)
    for (const { path, operation } of files) {
      expect(operation.parameters, path).to.containSubset([{ name: 'bom', in: 'query' }])
    }
  })

  it('tells of the limit on requests wherever there is one', () => {
    const without = operations.filter(({ operation }) => !('429' in operation.responses)).map(({ path }) => path)
    expect(without).to.have.members(['/healthz', '/readyz'])
  })

  it('is open without a token only where it says so [spec 5:1] [risk API5]', async () => {
    const open = operations.filter(({ operation }) => operation.security.length === 0).map(({ path }) => path)
    const ceremonies = ['sign_up', 'assertion', 'enrolment'].flatMap((name) => [`${name}/options`, `${name}/verify`])
    expect(open).to.have.members([
      // The links in mails.
      ...['/mail/confirm', '/mail/unsubscribe', '/mail/no-invitations'],
      ...['/v1/deliveries/{urn}/content', '/v1/evidence/{urn}/content'],
      ...['/v1/config/public', '/v1/events/types', '/healthz', '/readyz', '/openapi.json', '/v1/tickets/exchange'],
      // A picture, whose random id only those learn who see the name.
      '/v1/pictures/{id}',
      ...ceremonies.map((ceremony) => `/v1/me/passkeys/${ceremony}`),
      ...['/v1/audit-log/head', '/v1/public/recent-orders', '/v1/exports/{urn}/file', '/files/{attachment}/{number}'],
      // What an auditor needs, who has no account.
      ...[
        '/v1/public/reconciliation',
        '/v1/public/reconciliation/history',
        '/v1/public/appeal-fees',
        '/v1/public/payments/{from}/{nonce}',
        '/v1/liabilities',
        '/v1/liabilities/{block}',
      ],
    ])
    const page = await readFile(new URL('../../../../docs/access.md', import.meta.url), 'utf8')
    const listed = page.slice(page.indexOf('## Open to everyone'), page.indexOf('## Passkeys and sessions'))
    const shown = (path: string) => path.replace(/(passkeys\/\w+\/).*/, '$1')
    for (const path of open) expect(listed).to.include(shown(path))
    for (const { method, path, operation } of operations.filter(({ operation }) => operation.security.length > 0)) {
      expectProblem(await api.send(method, path, versionFor(operation)), 401, 'auth/unauthenticated')
    }
  })

  it('says so when an operation does not exist in a version [spec 9:10] [risk API9]', async () => {
    for (const { method, path, operation } of operations) {
      const missing = ['2026-05-05', '2026-05-17'].find((version) => !versionsOf(operation).includes(version))
      if (missing === undefined) continue
      const reply = await api.send(method, path, { headers: { 'market-version': missing } })
      expectProblem(reply, 404, 'version/route-unavailable', 'Market-Version')
    }
  })
})

type Operation = z.infer<typeof operation>

function versionsOf({ parameters }: Operation): string[] {
  const header = parameters.find(({ name }) => name === 'Market-Version')
  if (!header) return ['2026-05-05', '2026-05-17']
  return z.object({ schema: z.object({ enum: z.array(z.string()) }) }).parse(header).schema.enum
}

function versionFor(operation: Operation) {
  return { headers: { 'market-version': versionsOf(operation).at(-1) } }
}
