import { type LookupAddress, lookup } from 'node:dns'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { Poster, type Resolve } from '../../../../api/platform/webhooks/post.ts'
import { requireTarget } from '../../../../api/platform/webhooks/target.ts'
import { type Receiver, startReceiver } from '../../../kit/api/platform/webhooks/receiver.ts'

const PUBLIC: LookupAddress = { address: '93.184.216.34', family: 4 }

const closed = { webhooks: { allowsLocal: false } }
const open = { webhooks: { allowsLocal: true } }

/** A resolver that answers these addresses, one set a time and the last for ever. */
function resolver(...answers: LookupAddress[][]): Resolve {
  const rest = [...answers]
  const resolve = (_name: string, _options: unknown, callback: (error: null, found: LookupAddress[]) => void) =>
    callback(null, (rest.length > 1 ? rest.shift() : rest[0]) ?? [])
  return resolve as unknown as Resolve
}

describe('where webhooks may be sent [spec 2.13:2]', () => {
  const isTaken = (settings: typeof closed, url: string) => {
    try {
      requireTarget(settings, url)
      return true
    } catch (error) {
      expect(error).to.include({ problem: 'request/invalid', field: 'url' })
      return false
    }
  }

  const refused = {
    'no URL': 'example.com/hook',
    'a space in it': 'https://example.com/a hook',
    'a line break in it': 'https://example.com/\r\nhook',
    'no encryption': 'http://example.com/hook',
    'another scheme': 'ftp://example.com/hook',
    'a file': 'file:///etc/passwd',
    'a user name and a password': 'https://user:pass@example.com/hook',
    'a user name': 'https://user@example.com/hook',
    'an odd port': 'https://example.com:22/hook',
    'port 80 with encryption': 'https://example.com:80/hook',
    localhost: 'https://localhost/hook',
    'a name below localhost': 'https://hook.localhost./hook',
    loopback: 'https://127.0.0.1/hook',
    'loopback, elsewhere': 'https://127.8.9.10/hook',
    'loopback, decimal': 'https://2130706433/hook',
    'loopback, octal': 'https://0177.0.0.1/hook',
    'loopback, hex': 'https://0x7f.0x0.0x0.0x1/hook',
    'loopback, one hex number': 'https://0x7f000001/hook',
    'loopback, short': 'https://127.1/hook',
    'loopback in wide digits': 'https://１２７.０.０.１/hook',
    'loopback, IPv6': 'https://[::1]/hook',
    'loopback, IPv4-mapped': 'https://[::ffff:127.0.0.1]/hook',
    'loopback, IPv4-compatible': 'https://[::127.0.0.1]/hook',
    'loopback, NAT64': 'https://[64:ff9b::7f00:1]/hook',
    'a private address, local NAT64': 'https://[64:ff9b:1::a00:1]/hook',
    'loopback, 6to4': 'https://[2002:7f00:1::]/hook',
    'loopback, Teredo': 'https://[2001:0:7f00:1::]/hook',
    'this host': 'https://0.0.0.0/hook',
    'this host, IPv6': 'https://[::]/hook',
    'private, 10': 'https://10.0.0.1/hook',
    'private, 172.16': 'https://172.16.0.1/hook',
    'private, 192.168': 'https://192.168.0.1/hook',
    'carrier-grade NAT': 'https://100.64.0.1/hook',
    'link-local': 'https://169.254.1.1/hook',
    'the metadata of a cloud': 'https://169.254.169.254/latest/meta-data',
    'the metadata of a cloud, IPv4-mapped': 'https://[::ffff:a9fe:a9fe]/hook',
    'link-local, IPv6': 'https://[fe80::1]/hook',
    'unique local, IPv6': 'https://[fd00::1]/hook',
    multicast: 'https://224.0.0.1/hook',
    broadcast: 'https://255.255.255.255/hook',
    reserved: 'https://240.0.0.1/hook',
    documentation: 'https://192.0.2.1/hook',
  }
  for (const [what, url] of Object.entries(refused)) {
    it(`not ${what}`, () => {
      expect(isTaken(closed, url)).to.equal(false)
    })
  }

  for (const url of ['https://example.com/hook?a=b', 'https://example.com:8443/', 'https://93.184.216.34/']) {
    it(url, () => {
      expect(isTaken(closed, url)).to.equal(true)
    })
  }

  it('with local targets to loopback, without encryption and on any port, and nowhere else so', () => {
    expect(isTaken(open, 'http://127.0.0.1:8080/hook')).to.equal(true)
    expect(isTaken(open, 'http://localhost:8080/hook')).to.equal(true)
    expect(isTaken(open, 'http://[::1]:8080/hook')).to.equal(true)
    expect(isTaken(open, 'https://example.com:8443/hook')).to.equal(true)
    expect(isTaken(open, 'https://example.com:22/hook')).to.equal(false)
    expect(isTaken(open, 'http://example.com/hook')).to.equal(false)
    expect(isTaken(open, 'http://93.184.216.34/hook')).to.equal(false)
    for (const host of ['10.0.0.1', '169.254.169.254', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '0.0.0.0']) {
      expect(isTaken(open, `http://${host}/hook`), host).to.equal(false)
    }
  })

  describe('when it is connected', () => {
    let receiver: Receiver

    before(async () => {
      receiver = await startReceiver()
    })

    after(() => receiver?.stop())

    const post = (settings: typeof closed, resolve: Resolve, url: string) =>
      new Poster(settings, resolve).post({ url, headers: {}, body: '{}' }, AbortSignal.timeout(2_000))
    const port = () => new URL(receiver.url).port

    const addresses: [string, LookupAddress[]][] = [
      ['loopback', [{ address: '127.0.0.1', family: 4 }]],
      ['loopback beside a public address', [PUBLIC, { address: '127.0.0.1', family: 4 }]],
      ['an IPv4-mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
      ['an IPv4-compatible address', [{ address: '::127.0.0.1', family: 6 }]],
      ['a NAT64 address', [{ address: '64:ff9b::7f00:1', family: 6 }]],
      ['a 6to4 address', [{ address: '2002:7f00:1::', family: 6 }]],
      ['the metadata of a cloud', [{ address: '169.254.169.254', family: 4 }]],
      ['a private address', [{ address: '10.0.0.1', family: 4 }]],
    ]
    for (const [what, found] of addresses) {
      it(`refuses a name of ${what}`, async () => {
        const reply = await post(closed, resolver(found), `http://rebind.example:${port()}/hook`)
        expect(reply).to.deep.equal({ failure: 'address_refused' })
        expect(receiver.requests).to.have.length(0)
      })
    }

    it('refuses a name that was public before and is loopback now [risk API7]', async () => {
      const rebinding = resolver([PUBLIC], [{ address: '127.0.0.1', family: 4 }])
      const poster = new Poster(closed, rebinding)
      const request = { url: `http://rebind.example:${port()}/hook`, headers: {}, body: '{}' }
      // Nobody answers at the public address within this time.
      await poster.post(request, AbortSignal.timeout(50))
      expect(await poster.post(request, AbortSignal.timeout(2_000))).to.deep.equal({ failure: 'address_refused' })
      expect(receiver.requests).to.have.length(0)
    })

    for (const host of ['127.0.0.1', '2130706433', '0177.1', '[::127.0.0.1]', '[::ffff:7f00:1]', 'localhost']) {
      it(`refuses ${host}`, async () => {
        const reply = await post(closed, lookup, `http://${host}:${port()}/hook`)
        expect(reply).to.deep.equal({ failure: 'address_refused' })
        expect(receiver.requests).to.have.length(0)
      })
    }

    it('reaches loopback with local targets', async () => {
      expect(await post(open, lookup, `http://localhost:${port()}/hook`)).to.include({ status: 200, excerpt: '' })
    })
  })
})
