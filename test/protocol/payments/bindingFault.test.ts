import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { type BindingRequirement, bindingFault } from '../../../protocol/payments/bindingFault.ts'

const WALLET: Address = '0x5555555555555555555555555555555555555555'
const NOW = 1_800_000_000
const required: BindingRequirement = {
  ...{ wallet: WALLET, chainId: 1, domain: 'market.example', accounts: ['urn:a', 'urn:b'], nowSeconds: NOW },
}
const said: Parameters<typeof createSiweMessage>[0] = {
  ...{ address: WALLET, chainId: 1, domain: 'market.example', uri: 'https://market.example', version: '1' },
  ...{ nonce: 'abcdefgh12', issuedAt: new Date(0), resources: ['urn:other', 'urn:b'] },
}
const fault = (changes: Partial<typeof said> = {}, requirement: Partial<BindingRequirement> = {}) =>
  bindingFault(createSiweMessage({ ...said, ...changes }), { ...required, ...requirement })

describe('the text of a binding', () => {
  it('has no fault where it says what it must, whatever is not asked of it', () => {
    expect(fault()).to.equal(undefined)
    const text = createSiweMessage({ ...said, chainId: 2, domain: 'other.example', resources: [] })
    const any = { wallet: WALLET, chainId: undefined, domain: undefined, nowSeconds: NOW }
    expect(bindingFault(text, any)).to.equal(undefined)
  })

  it('is of another wallet, chain, site or account', () => {
    expect(fault({ address: '0x6666666666666666666666666666666666666666' })).to.equal('wallet')
    expect(fault({ chainId: 2 })).to.equal('chain')
    expect(fault({ domain: 'market.example.org' })).to.equal('domain')
    for (const resources of [undefined, [], ['urn:other'], ['urn:ab']])
      expect(fault({ resources: resources as string[] })).to.equal('account')
  })

  it('is valid from its beginning on and before its end', () => {
    const at = (ms: number) => new Date(NOW * 1_000 + ms)
    expect([-1, 0, 1].map((ms) => fault({ notBefore: at(ms) }))).to.deep.equal([undefined, undefined, 'validity'])
    expect([-1, 0, 1].map((ms) => fault({ expirationTime: at(ms) }))).to.deep.equal(['validity', 'validity', undefined])
  })

  it('is malformed without its address, its nonce or its time of issue, each by itself', () => {
    const text = createSiweMessage(said)
    for (const part of [WALLET, /Nonce: .*\n/, /Issued At: .*\n/]) {
      const cut = text.replace(part, '')
      expect(cut).to.not.equal(text)
      expect(bindingFault(cut, required), String(part)).to.equal('malformed')
    }
    expect(bindingFault('', required)).to.equal('malformed')
  })
})
