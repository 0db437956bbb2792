import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Abi } from 'viem'
import { problems } from '../../../../api/modules.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

describe('the pages', () => {
  let api: Api
  before(async () => {
    api = await startApi({ rules: { maxAnonymous: 1_000 } })
  })
  after(() => api.stop())

  const get = async (path: string) => {
    const answer = await fetch(api.baseUrl + path)
    return { status: answer.status, type: answer.headers.get('content-type'), answer, text: await answer.text() }
  }
  /** What a page has the browser fetch. */
  const assetsOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '')

  it('of the reference and the console run on files of this server alone, under a policy that allows no others', async () => {
    for (const path of ['/', '/console', '/docs', '/docs/api', '/docs/contracts/fund', '/problems']) {
      const { status, type, text, answer } = await get(path)
      expect([status, type], path).to.deep.equal([200, 'text/html; charset=utf-8'])
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy)
        .to.include("default-src 'none'")
        .and.not.match(/unsafe|https?:|\*/)
      expect(text, path).not.to.match(/<script(?![^>]*src=)|<style|\bstyle=|\bon\w+=|https?:\/\//)
      const assets = assetsOf(text)
      expect(assets, path).to.have.length.above(1)
      for (const asset of assets) {
        const file = await get(asset)
        expect([file.status, file.text.length > 50], asset).to.deep.equal([200, true])
        expect(file.type, asset).to.match(asset.endsWith('.js') ? /^text\/javascript/ : /^text\/css/)
      }
    }
  })

  it('begin with what this is and three ways in, from which somebody who is signed in goes on to their home', async () => {
    const { text } = await get('/')
    expect(text).to.include('/docs/trade.svg').and.include('/docs/trade-narrow.svg')
    for (const [, href = ''] of text.matchAll(/(?:href|src|srcset)="(\/docs[^"]*)"/g)) {
      expect((await get(href)).status, href).to.equal(200)
    }
    expect(text.match(/<section>/g)).to.have.length(3)
    const cookie = `${api.settings.web.sessionCookie}=anything`
    const answer = await fetch(api.baseUrl, { headers: { cookie }, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, '/console'])
  })

  it('have the interfaces of the contracts, as other tools read them', async () => {
    for (const [path, expected] of [
      ['/abi/escrow.json', ['withdraw', 'reclaim', 'releaseByPayer', 'refundByPayee']],
      ['/abi/token.json', ['balanceOf', 'transferWithAuthorization']],
    ] as const) {
      const { status, type, text } = await get(path)
      expect([status, type], path).to.deep.equal([200, 'application/json'])
      const names = (JSON.parse(text) as Abi)
        .filter(({ type }) => type === 'function')
        .map((item) => 'name' in item && item.name)
      expect(names, path).to.include.members([...expected])
    }
  })

  it('of the reference show the contract of this very server', async () => {
    const { text } = await get('/docs/api')
    const script = (await get('/docs/reference.js')).text
    expect(text).to.include('<div id="reference">').and.include('/docs/reference.js')
    expect(script).to.match(/url: '\/openapi.json',\s+dom_id: '#reference'/)
    expect((await get('/docs/swagger-ui-bundle.js')).answer.headers.get('cache-control')).to.include('max-age')
  })

  it('of problems are where each problem says, one for each type there is', async () => {
    for (const path of ['/v1/me', '/nowhere', '/v1/asks/x?y=1']) {
      const refused = await fetch(api.baseUrl + path)
      const { type, title } = (await refused.json()) as { type: string; title: string }
      const page = /^<(.+)>; rel="help"$/.exec(refused.headers.get('link') ?? '')?.[1] ?? ''
      const { status, text } = await get(page)
      expect(status, page).to.equal(200)
      expect(text).to.include(`<code>${type}</code>`).and.include(`<h1>${title}</h1>`)
    }
    const index = await get('/problems')
    for (const { name, status } of problems) {
      expect(index.text).to.include(`href="/problems/${name}"`)
      const { text, type } = await get(`/problems/${name}`)
      expect(type, name).to.equal('text/html; charset=utf-8')
      expect(text, name).to.include(`<code>market:error:${name}</code>`).and.include(`<dd>${status}</dd>`)
      expect(text, name).not.to.include('undefined')
    }
    expect((await get('/problems/orders/own-ask')).text).to.include('<code>POST /v1/orders</code>')
    expect((await get('/problems/nothing')).status).to.equal(404)
  })

  it('of the documentation are the files of docs/, with their pictures and the programs they show', async () => {
    const page = await get('/docs/start/buyer')
    expect(page.text).to.include('<h1>Buy work</h1>').and.include('href="/docs/examples/buyer.ts"')
    const contract = await get('/docs/contracts/fund')
    expect(contract.text).to.include('aria-current="page">Fund</a>')
    for (const [path, type] of [
      ['/docs/concepts/states.svg', 'image/svg+xml'],
      ['/docs/examples/buyer.ts', 'text/plain; charset=utf-8'],
      ['/docs/sans.woff2', 'font/woff2'],
    ] as const)
      expect([(await get(path)).status, (await get(path)).type], path).to.deep.equal([200, type])
    expect((await get('/docs/nothing')).status).to.equal(404)
  })

  it('are read and nothing else', async () => {
    for (const path of ['/', '/console', '/docs', '/docs/api', '/problems', '/problems/auth/forbidden']) {
      const reply = await api.send('POST', path, { body: {} })
      expectProblem(reply, 405, 'request/method-not-allowed')
      expect(reply.headers.get('allow'), path).to.equal('GET, HEAD')
    }
  })
})
