import { describe, it } from 'node:test'
import { expect } from 'chai'
import { SegmentRouter } from '../../../api/http/router.ts'

describe('the router', () => {
  const router = new SegmentRouter<string>()
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/v1/asks'],
    ['ALL', '/v1/asks'],
    ['GET', '/v1/asks/:urn'],
    ['POST', '/v1/asks/:urn/orders/:order'],
    ['GET', '/v1/asks/mine/latest'],
    ['GET', '/v1/:kind/newest'],
    ['GET', '/:version/:kind/oldest'],
  ] as const)
    router.add(method, path, `${method} ${path}`)

  for (const [method, path, handler, params] of [
    ['GET', '/', 'GET /', {}],
    ['GET', '/v1/asks', 'GET /v1/asks', {}],
    ['PUT', '/v1/asks', 'ALL /v1/asks', {}],
    ['GET', '/v1/asks/a%20b', 'GET /v1/asks/:urn', { urn: 'a%20b' }],
    ['POST', '/v1/asks/a/orders/b', 'POST /v1/asks/:urn/orders/:order', { urn: 'a', order: 'b' }],
    // A name comes before a parameter, and where it leads nowhere the parameter takes it.
    ['GET', '/v1/asks/mine/latest', 'GET /v1/asks/mine/latest', {}],
    ['GET', '/v1/asks/mine', 'GET /v1/asks/:urn', { urn: 'mine' }],
    ['POST', '/v1/asks/mine/orders/latest', 'POST /v1/asks/:urn/orders/:order', { urn: 'mine', order: 'latest' }],
    ['GET', '/v1/bids/oldest', 'GET /:version/:kind/oldest', { version: 'v1', kind: 'bids' }],
  ] as const)
    it(`${method} ${path} is ${handler}`, () => {
      expect(router.match(method, path)).to.deep.equal([[[handler, params]]])
    })

  for (const [method, path] of [
    ['POST', '/v1/asks/a'],
    ['GET', '/v1'],
    ['GET', '/v1/asks/'],
    ['GET', '/v1/asks//orders/b'],
    ['GET', '/v1/asks/a/b'],
    ['GET', '/v1/asks/__proto__/constructor'],
    ['GET', '//v1/asks'],
  ] as const)
    it(`${method} ${path} is nothing`, () => {
      expect(router.match(method, path)).to.deep.equal([[]])
    })

  it('refuses a second handler of the same', () => {
    expect(() => router.add('GET', '/v1/asks/:id', 'other')).to.throw('routed twice')
  })
})
