import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '../../../cli/machine/paths.ts'
import { SIGNING_PURPOSES } from '../../../protocol/keys/signing.ts'
import { startMarket, type TestMarket } from '../../kit/api/trading.ts'

describe('./market keys', () => {
  let market: TestMarket
  before(async () => {
    market = await startMarket()
  })
  after(() => market.stop())

  it('rotates the keys of a service that runs, which publishes and uses them', async () => {
    const { api } = market
    const published = async () => (await api.send('GET', '/v1/config/public')).body
    const before = await published()
    const { stdout } = await promisify(execFile)(process.execPath, [`${ROOT}cli/main.ts`, 'keys', 'rotate'], {
      env: { PATH: process.env.PATH, DATABASE_URL: api.databaseUrl, SIGNING_KEY: api.settings.signingKey },
    })
    const { keys, fees } = (await published()) as unknown as {
      keys: { keys: { kid: string; valid_until?: string }[] }
      fees: { key_id: string }
    }
    expect(keys.keys).to.have.length(2 * SIGNING_PURPOSES.length)
    const inUse = keys.keys.filter(({ valid_until }) => valid_until === undefined).map(({ kid }) => kid)
    expect(inUse).to.have.length(SIGNING_PURPOSES.length).and.include(fees.key_id)
    expect(before.fees).not.to.deep.equal(fees)
    for (const { kid } of keys.keys) expect(stdout).to.include(kid)
    expect(stdout).not.to.include(api.settings.signingKey)
  })
})
