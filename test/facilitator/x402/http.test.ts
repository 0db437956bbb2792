import { request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as ExactEvmServer } from '@x402/evm/exact/server'
import { expect } from 'chai'
import fc from 'fast-check'
import { readFacilitatorEnvironment } from '../../../facilitator/env.ts'
import { freeAccount, mintUsdc, signForCustody } from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  environmentOf,
  request,
  startBench,
} from '../../kit/facilitator/facilitator.ts'
import { type OpenDesk, openDesk, presentation } from '../../kit/facilitator/x402/desk.ts'

const PRICE = 20_000_000n
const RUNS = 150

describe('the x402 interface', { timeout: 300_000 }, () => {
  let bench: Bench
  let desk: OpenDesk
  const buyer = freeAccount(0)

  const post = (path: string, body: string, headers: Record<string, string> = bearer(desk.secret)) =>
    desk.fetch(path, { method: 'POST', body, headers })
  const fairBody = async () => {
    const [paymentPayload, paymentRequirements] = presentation(
      bench.chain,
      await signForCustody(bench.chain, buyer, PRICE),
    )
    return { x402Version: 2, paymentPayload, paymentRequirements }
  }

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
    desk = await openDesk(bench)
  })

  after(async () => {
    await desk.stop()
    await bench.stop()
  })

  test('tells the stock client what it settles, and who pays the gas', async () => {
    const network = `eip155:${bench.chain.chainId}`
    expect(await desk.client.getSupported()).to.deep.equal({
      kinds: [{ x402Version: 2, scheme: 'exact', network }],
      extensions: [],
      signers: { 'eip155:*': [bench.chain.accounts.submitter.address] },
    })
  })

  test('serves a stock resource server: it starts, verifies and settles', async () => {
    const { chain } = bench
    const network = `eip155:${chain.chainId}` as const
    const server = new x402ResourceServer(desk.client).register(network, new ExactEvmServer())
    await server.initialize()
    const [requirements] = await server.buildPaymentRequirements({
      scheme: 'exact',
      network,
      payTo: chain.accounts.hotWallet.address,
      price: { asset: chain.token, amount: PRICE.toString(), extra: { ...chain.tokenNames } },
    })
    if (!requirements) throw new Error('the server asks for nothing')
    const authorization = await signForCustody(chain, buyer, PRICE)
    const [paid] = presentation(chain, authorization)
    const payload = { ...paid, accepted: requirements }
    expect(await server.verifyPayment(payload, requirements)).to.deep.include({ isValid: false })
    await request(bench, { kind: 'deposit', authorization })
    const settled = await server.settlePayment(payload, requirements)
    expect(settled.success).to.equal(true)
    const { logs } = await chain.client.getTransactionReceipt({ hash: settled.transaction as `0x${string}` })
    expect(logs.some(({ topics }) => topics.some((topic) => topic === authorization.nonce))).to.equal(true)
  })

  const paths: [string, string][] = [
    ['GET', '/supported'],
    ['POST', '/verify'],
    ['POST', '/settle'],
    ['GET', `/payments/${buyer.address}/0x${'00'.repeat(32)}`],
    ['GET', '/anything'],
  ]
  for (const [method, path] of paths) {
    test(`answers ${method} ${path.slice(0, 10)} to nobody without the secret`, async () => {
      const { secret } = desk
      const wrong: (string | undefined)[] = [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        `Bearer ${secret.slice(0, -1)}`,
        `Bearer ${secret}x`,
        `Bearer ${secret.toUpperCase()}`,
        `Basic ${secret}`,
        secret,
      ]
      for (const authorization of wrong) {
        const headers = authorization === undefined ? {} : { authorization }
        const response = await desk.fetch(path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })
        expect(response.status, String(authorization)).to.equal(401)
        expect(response.headers.get('www-authenticate')).to.contain('Bearer')
        expect(await response.text()).to.not.contain(secret)
      }
    })
  }

  test('answers what is malformed with 400 and a reason, whatever it is', async () => {
    const fair = await fairBody()
    const json = fc.jsonValue({ maxDepth: 4 })
    const anything = fc.oneof(
      fc.string(),
      json.map((value) => JSON.stringify(value)),
    )
    const damaged = fc
      .tuple(fc.constantFrom(...pathsOf(fair)), json)
      .map(([path, value]) => JSON.stringify(withAt(fair, path, value)))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('verify', 'settle'), fc.oneof(anything, damaged), async (call, body) => {
        const response = await post(`/${call}`, body)
        const answer = (await response.json()) as Record<string, unknown>
        expect(response.status, body).to.be.oneOf([200, 400])
        expect(answer[call === 'verify' ? 'isValid' : 'success'], body).to.equal(false)
        expect(answer[call === 'verify' ? 'invalidReason' : 'errorReason'], body).to.be.a('string')
      }),
      { numRuns: RUNS },
    )
  })

  test('takes no malformed question for the status of a payment', async () => {
    const nonce = `0x${'00'.repeat(32)}`
    const wrong = [
      `/payments/${buyer.address.slice(0, -1)}/${nonce}`,
      `/payments/${buyer.address}/${nonce.slice(0, -1)}`,
      `/payments/${buyer.address}/${nonce}?valid_before=-1`,
      `/payments/${buyer.address}/${nonce}?valid_before=tomorrow`,
      `/payments/%00/${nonce}`,
    ]
    for (const path of wrong) expect((await desk.fetch(path)).status, path).to.equal(400)
    const part = fc.string({ unit: 'grapheme', minLength: 1 }).map(encodeURIComponent)
    await fc.assert(
      fc.asyncProperty(part, part, async (from, end) => {
        const response = await desk.fetch(`/payments/${from}/${nonce}?valid_before=${end}`)
        expect(response.status, `${from} ${end}`).to.be.oneOf([400, 404])
      }),
      { numRuns: RUNS },
    )
  })

  test('refuses a body beyond 64 KiB, and other paths and methods', async () => {
    expect((await post('/verify', `"${'x'.repeat(70_000)}"`)).status).to.equal(413)
    expect((await desk.fetch('/settle')).status).to.equal(404)
    expect((await post('/supported', '{}')).status).to.equal(404)
    expect(await rawStatus(desk.url, '/../settle')).to.equal(401)
  })

  test('names the version it speaks, and the payloads it does not', async () => {
    const fair = await fairBody()
    const reasonOf = async (body: unknown) =>
      ((await (await post('/verify', JSON.stringify(body))).json()) as { invalidReason: string }).invalidReason
    expect(await reasonOf({ ...fair, x402Version: 1 })).to.equal('invalid_x402_version')
    const permit2 = { ...fair.paymentPayload, payload: { permit2Authorization: {}, signature: '0x' } }
    expect(await reasonOf({ ...fair, paymentPayload: permit2 })).to.equal('unsupported_payload_type')
    expect(await reasonOf({ ...fair, paymentRequirements: {} })).to.equal('invalid_payment_requirements')
  })

  test('logs neither its secret nor a signature', async () => {
    const authorization = await signForCustody(bench.chain, buyer, PRICE)
    await desk.verify(authorization)
    await desk.settle(authorization)
    expect(desk.output()).to.not.contain(desk.secret)
    expect(desk.output()).to.not.contain(authorization.signature.slice(2, 66))
  })
})

describe('the configuration of the x402 interface', { timeout: 300_000 }, () => {
  let bench: Bench
  let acting: Acting | undefined
  const secret = 's'.repeat(32)

  before(async () => {
    bench = await startBench()
  })

  after(async () => {
    await acting?.stop()
    await bench.stop()
  })

  test('is off unless a port is given', async () => {
    acting = await actHere(bench, { X402_SECRET: secret })
    expect(acting.output()).to.not.contain('x402')
  })

  test('is refused without a good secret, and on an address that is not private', () => {
    const wrong: [Record<string, string>, string][] = [
      [{ X402_PORT: '8402' }, 'X402_SECRET: is not set'],
      [{ X402_PORT: '8402', X402_SECRET: 'short' }, 'X402_SECRET: must have 32 characters'],
      [{ X402_PORT: '70000', X402_SECRET: secret }, 'X402_PORT'],
      ...['0.0.0.0', '::', '8.8.8.8', 'localhost'].map((host): [Record<string, string>, string] => [
        { X402_HOST: host },
        'X402_HOST: must be a loopback or private',
      ]),
      [{ WALLET_FACTORIES: '0x12' }, 'WALLET_FACTORIES'],
    ]
    for (const [overrides, complaint] of wrong) {
      expect(() => readFacilitatorEnvironment(environmentOf(bench, overrides))).to.throw(complaint)
    }
    for (const host of ['127.0.0.1', '::1', '10.1.2.3', '192.168.0.1', 'fd00::1']) {
      readFacilitatorEnvironment(environmentOf(bench, { X402_HOST: host }))
    }
  })
})

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
}

/** The paths to every member of a JSON value, as keys. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))]
}

/** A copy of a JSON value with another value at a path. */
function withAt(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other
  return { ...(value as object), [key]: withAt((value as Record<string, unknown>)[key], rest, other) }
}

/** The status of a request whose path is sent as it is. */
function rawStatus(url: string, path: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const sent = httpRequest(url, { path, method: 'POST' }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  sent.on('error', reject).end()
  return promise
}
