import { describe, it } from 'node:test'
import { expect } from 'chai'
import { SealBroken } from '../../protocol/records/sealed.ts'
import { createAgentKeys, sealWords } from '../../sdk/sealed.ts'

describe('what is sealed for the readers of a thread', () => {
  it('is sealed to nobody where the thread shows no keys, or not those of the agent who seals', async () => {
    const [own, stranger] = [await createAgentKeys('market:agent:1'), await createAgentKeys('market:agent:1')]
    const shown = {
      ...{ agent_urn: { prefix: 'agent', body: '1' }, hpke_public_key: own.hpkePublicKey },
      signing_public_key: own.signingPublicKey,
    }
    const others = [
      { ...shown, agent_urn: { prefix: 'agent', body: '2' } },
      { ...shown, hpke_public_key: stranger.hpkePublicKey },
      { ...shown, signing_public_key: stranger.signingPublicKey },
    ]
    const wallet = '0x5555555555555555555555555555555555555555'
    for (const keys of [[], ...others.map((one) => [one])]) {
      const thread = { thread_urn: { prefix: 'thread', body: '1' }, keys } as unknown as Parameters<typeof sealWords>[0]
      const sealing = sealWords(
        thread,
        own,
        { kind: 'text' },
        { payload: null, body: 'x' },
        { wallet, network: 'eip155:1' },
      )
      const error = await sealing.catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(SealBroken)
      expect(String(error)).to.include('the keys of this agent')
    }
  })
})
