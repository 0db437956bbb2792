import { createHmac, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { verifyWebhook, WebhookSignatureError } from '../../sdk/webhooks.ts'

const NOW = 1_800_000_000
const SECRET = `whsec_${randomBytes(24).toString('base64url')}`
const EVENT = { event_id: 'one', event_type: 'order.funded', payload: { state: 'funded' } }
const BODY = JSON.stringify(EVENT)

const digest = (secret: string, time: number, body = BODY) =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
const header = (time = NOW, secret = SECRET) => `t=${time},v1=${digest(secret, time)}`
const verified = (given: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
  verifyWebhook({ body: BODY, signature: header(), secret: SECRET, nowSeconds: NOW, ...given })

async function expectRefused(given: Parameters<typeof verified>[0]): Promise<void> {
  const error = await verified(given).then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).to.be.instanceOf(WebhookSignatureError)
  expect(String(error)).not.to.include(SECRET)
}

describe('a webhook request, verified by its receiver', () => {
  it('is taken as text and as bytes, with any of the signatures of a rotated secret', async () => {
    expect(await verified()).to.deep.equal(EVENT)
    expect(await verified({ body: new TextEncoder().encode(BODY) })).to.deep.equal(EVENT)
    const other = digest('whsec_other', NOW)
    expect(await verified({ signature: `t=${NOW},v1=${other},v1=${digest(SECRET, NOW)}` })).to.deep.equal(EVENT)
  })

  it('is taken up to 300 seconds before and after it was signed, and no further [spec 6.4:4 8:7]', async () => {
    for (const skew of [-300, 300]) expect(await verified({ signature: header(NOW + skew) })).to.deep.equal(EVENT)
    for (const skew of [-301, 301]) await expectRefused({ signature: header(NOW + skew) })
  })

  it('is refused with another secret, body or time, or without a signature [spec 6.4:3]', async () => {
    await expectRefused({ secret: 'whsec_other' })
    await expectRefused({ body: `${BODY} ` })
    await expectRefused({ signature: `t=${NOW + 1},v1=${digest(SECRET, NOW)}` })
    for (const signature of [undefined, null, '', `t=${NOW}`, `v1=${digest(SECRET, NOW)}`, `${header()},t=${NOW - 1}`])
      await expectRefused({ signature })
  })

  it('is refused with whatever else stands in the header', () =>
    fc.assert(fc.asyncProperty(fc.string(), (text) => expectRefused({ signature: text }))))
})
