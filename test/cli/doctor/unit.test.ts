import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { readUnit } from '../../../cli/doctor/internal/unit.ts'
import { ROOT } from '../../../cli/machine/paths.ts'

describe('the units that ./market doctor reads', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'market-units-'))
    await cp(join(ROOT, 'deploy/systemd'), folder, { recursive: true })
    for (const name of ['market-api@', 'market-indexer']) {
      const path = join(folder, `${name}.service`)
      await writeFile(
        path,
        (await readFile(path, 'utf8')).replace('/etc/market/market.env', join(folder, 'market.env')),
      )
    }
  })
  after(() => rm(folder, { recursive: true }))

  it('have the account, and the variables of all places, with the files that their secrets come from', async () => {
    const { user, command, env } = await readUnit('market-api@8081', folder)
    expect([user, command]).to.deep.equal(['market', ['/opt/market/market', 'api']])
    expect(env).to.include({
      BASE_URL: 'https://market.example.com',
      PORT: '8081',
      METRICS_PORT: '18081',
      DATABASE_URL_FILE: '/etc/market/secrets/api_database_url',
      NODE_COMPILE_CACHE: '/var/cache/market-api',
    })
    expect(Object.values(env).join()).not.to.include('%')
    const indexer = await readUnit('market-indexer.service', folder)
    expect([indexer.user, indexer.env.PORT]).to.deep.equal(['market-indexer', '42069'])
  })

  it('are refused where they, or their variables, are not there', async () => {
    for (const name of ['market-nobody', 'market-worker@1']) {
      const error = await readUnit(name, folder).catch((thrown) => thrown)
      expect(error.code, name).to.equal('ENOENT')
    }
  })
})
