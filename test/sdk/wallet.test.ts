import { describe, it } from 'node:test'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { Market } from '../../sdk/market.ts'
import { BindingRefused, bindWallet } from '../../sdk/wallet.ts'

const PLACE = { domain: 'market.example', chainId: 8453 }

describe('a wallet that is bound', () => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const whole = {
    ...PLACE,
    address: wallet.address,
    uri: 'https://market.example',
    version: '1' as const,
    nonce: 'abcdef123456',
    issuedAt: new Date(),
  }
  /** Binds the wallet at a service that asks for a text, and returns what was signed, or why nothing was. */
  async function bound(challenge: string, place: typeof PLACE | undefined) {
    const signed: string[] = []
    const call = async (name: string) => ({ body: name === 'challengeWallet' ? { challenge } : {} })
    const signMessage = ({ message }: { message: string }) => {
      signed.push(message)
      return wallet.signMessage({ message })
    }
    const market = { call } as unknown as Pick<Market, 'call'>
    const error = await bindWallet(market, { address: wallet.address, signMessage }, place).then(
      () => undefined,
      (thrown) => thrown,
    )
    if (error && !(error instanceof BindingRefused)) throw error
    return { signed, fault: error?.fault }
  }

  it('signs the text of its own market', async () => {
    const text = createSiweMessage(whole)
    for (const place of [PLACE, undefined])
      expect(await bound(text, place)).to.deep.equal({ signed: [text], fault: undefined })
  })

  it('signs no text of another site, chain, wallet or kind [risk reverse-proxy]', async () => {
    const other = privateKeyToAccount(generatePrivateKey()).address
    const cases: [string, string, (typeof PLACE | undefined)?][] = [
      ['domain', createSiweMessage({ ...whole, domain: 'bank.example' }), PLACE],
      ['chain', createSiweMessage({ ...whole, chainId: 1 }), PLACE],
      ['wallet', createSiweMessage({ ...whole, address: other })],
      ['malformed', 'I owe you all that I have.'],
    ]
    for (const [fault, text, place] of cases)
      expect(await bound(text, place), fault).to.deep.equal({ signed: [], fault })
  })
})
