import { describe, it } from 'node:test'
import { expect } from 'chai'
import { z } from 'zod'
import { arbitratorVariables, modelOf, requireModel } from '../../../api/config/arbitrator.ts'

const read = (env: Record<string, string>) => z.object(arbitratorVariables).check(requireModel).safeParse(env)
const GIVEN = { ARBITRATOR_MODEL: 'judge', ARBITRATOR_API_KEY: 'key', ARBITRATOR_URL: 'https://models.example/v1' }

describe('the arbitrator', () => {
  it('is the rules alone where nothing is set', () => {
    const { data } = read({})
    expect(data && modelOf(data)).to.equal(undefined)
  })

  it('is a model where it is configured whole', () => {
    for (const ARBITRATOR of ['openai-compatible', 'anthropic'] as const) {
      const { data } = read({ ...GIVEN, ARBITRATOR })
      expect(data && modelOf(data)).to.deep.include({ provider: ARBITRATOR, timeoutMs: 40_000, concurrency: 100 })
    }
  })

  it('is refused without what it takes, and where evidence would go unencrypted', () => {
    const refused = (env: Record<string, string>) => read(env).error?.issues.map(({ path }) => path[0])
    expect(refused({ ARBITRATOR: 'anthropic' })).to.deep.equal(['ARBITRATOR_MODEL', 'ARBITRATOR_API_KEY'])
    expect(
      refused({ ...GIVEN, ARBITRATOR: 'openai-compatible', ARBITRATOR_URL: 'http://models.example/v1' }),
    ).to.deep.equal(['ARBITRATOR_URL'])
    expect(refused({ ...GIVEN, ARBITRATOR: 'openai-compatible', ARBITRATOR_URL: 'http://127.0.0.1:8080/v1' })).to.equal(
      undefined,
    )
    expect(refused({ ARBITRATOR: 'oracle' })).to.deep.equal(['ARBITRATOR'])
  })
})
