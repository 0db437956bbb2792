import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { answersOk } from '../../../cli/machine/http.ts'
import { STATE_DIR } from '../../../cli/machine/paths.ts'
import { Supervisor } from '../../../cli/stack/internal/supervisor.ts'
import { createCluster } from '../../../cli/stack/postgres/cluster.ts'
import { startRpcProxy } from '../../e2e/rpcProxy.ts'
import { withOtherDomain } from '../../kit/chain/altered.ts'
import { startChain } from '../../kit/chain/node.ts'
import { copyTemplate, startDatabase, type TestDatabase } from '../../kit/stack/database.ts'
import { hangPostgres } from '../../kit/stack/hang.ts'
import { until } from '../../kit/until.ts'

const MAIN = new URL('../../../api/main.ts', import.meta.url).pathname
const KEY = 'ab'.repeat(32)

async function expectRefusal(url: string, words: string): Promise<void> {
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('retry-after')], url).to.deep.equal([503, '1'])
  expect(await answer.text()).to.include(words)
}

describe('the API process', () => {
  let database: TestDatabase
  before(async () => {
    database = await startDatabase()
  })
  after(() => database.stop())

  const environment = () => ({
    PATH: process.env.PATH,
    DATABASE_URL: database.roleUrls.api,
    // Nobody listens there: the API serves without the index.
    INDEX_DATABASE_URL: 'postgres://127.0.0.1:9/index',
    RPC_URL: 'http://127.0.0.1:9',
    BASE_URL: 'http://localhost',
    FILES_URL: 'http://127.0.0.1',
    PORT: '0',
    CHAIN_ID: '8453',
    ESCROW_ADDRESS: '0x1111111111111111111111111111111111111111',
    TOKEN_ADDRESS: '0x2222222222222222222222222222222222222222',
    HOT_WALLET_ADDRESS: '0x3333333333333333333333333333333333333333',
    FEE_RECIPIENT: '0x4444444444444444444444444444444444444444',
    START_BLOCK: '1',
    SECRET_KEY: KEY,
    SIGNING_KEY: KEY,
    BLOB_DIR: '/tmp/market-blobs',
  })

  const start = (changes: Record<string, string | undefined> = {}) => {
    const child = spawn(process.execPath, [MAIN], {
      env: { ...environment(), ...changes },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: Record<string, unknown>[] = []
    const listening = Promise.withResolvers<number>()
    createInterface(child.stdout).on('line', (line) => {
      const entry = JSON.parse(line)
      lines.push(entry)
      if (entry.msg === 'listening') listening.resolve(entry.port)
    })
    return { child, lines, port: listening.promise, ended: once(child, 'close') }
  }

  it('says on which port it listens, serves, and ends when asked to', async () => {
    const { child, lines, port, ended } = start()
    const answer = await fetch(`http://127.0.0.1:${await port}/readyz`)
    expect(answer.status).to.equal(200)
    child.kill('SIGTERM')
    expect(await ended).to.deep.equal([0, null])
    expect(lines.at(-1)).to.include({ msg: 'stopped' })
  })

  it('does not start as the owner of the database, where money is real [risk owner-login api-process API8]', async () => {
    const { lines, ended } = start({ DATABASE_URL: database.url })
    expect(await ended).to.deep.equal([1, null])
    expect(lines.at(-1)?.msg).to.match(/is of the role postgres, which may write ledger\..*Use market_api/)
  })

  it('does not start where the token would refuse every signature it asks for, and does where it takes them [risk token-domain]', {
    timeout: 60_000,
  }, async (test) => {
    const chain = await startChain()
    test.after(() => chain.stop())
    const proxy = await startRpcProxy(chain.rpcUrl)
    test.after(() => proxy.stop())
    const startOnChain = () => {
      const started = start({ CHAIN_ID: String(chain.chainId), TOKEN_ADDRESS: chain.token, RPC_URL: proxy.url })
      test.after(() => started.child.kill('SIGKILL'))
      return started
    }

    proxy.intercept(withOtherDomain)
    const refused = startOnChain()
    expect(await refused.ended).to.deep.equal([1, null])
    expect(refused.lines.at(-1)?.msg).to.contain('has domain separator')

    proxy.intercept(undefined)
    expect(await startOnChain().port).to.be.above(0)
  })

  // It waits for the limits of a statement and of a connection.
  if (process.env.MARKET_TEST_DEEP)
    it('starts while its database is down, says so, and answers at once while it hangs', {
      timeout: 120_000,
    }, async (test) => {
      const { spec, adminUrl } = await createCluster({ durable: true })
      const supervisor = new Supervisor({ logDir: join(STATE_DIR, 'logs/test', `api-${process.pid}`) })
      test.after(() => supervisor.stop())
      await supervisor.start(spec)
      const own = await copyTemplate(adminUrl)
      await supervisor.kill('postgres')

      const { child, lines, port, ended } = start({ DATABASE_URL: own.roleUrls.api })
      test.after(() => child.kill('SIGKILL'))
      const url = `http://127.0.0.1:${await port}`
      expect(lines.map(({ msg }) => msg)).to.include('waiting for the database')
      expect((await fetch(`${url}/healthz`)).status).to.equal(200)
      for (const path of ['/readyz', '/v1/asks']) await expectRefusal(`${url}${path}`, 'waits for its database')
      await supervisor.restart('postgres')
      await until('it serves', () => answersOk(`${url}/readyz`))

      const resume = await hangPostgres(supervisor.pid('postgres'))
      test.after(resume)
      const began = performance.now()
      const slow = fetch(`${url}/v1/config/public`)
      const probes = Promise.all([1, 2, 3].map(() => expectRefusal(`${url}/readyz`, 'database does not answer')))
      await probes
      test.diagnostic(`readiness was denied after ${Math.round(performance.now() - began)} ms`)
      expect((await slow).status).to.equal(503)
      expect((await slow).headers.get('retry-after')).to.equal('1')
      test.diagnostic(`a call was answered after ${Math.round(performance.now() - began)} ms`)
      resume()
      await until('it serves again', () => answersOk(`${url}/readyz`))
      child.kill('SIGTERM')
      expect(await ended).to.deep.equal([0, null])
    })

  for (const [name, changes, words] of [
    ['with a place for uploads that depends on where it is started', { BLOB_DIR: 'blobs' }, /BLOB_DIR: must be/],
    ['without a variable', { SECRET_KEY: undefined }, /SECRET_KEY/],
    ['with an address that is none', { ESCROW_ADDRESS: '0x12' }, /ESCROW_ADDRESS: must be an address/],
    [
      'as a sandbox of a chain with real money',
      { MARKET_SANDBOX: 'true', SANDBOX_MINTER_KEY: `0x${KEY}` },
      /MARKET_SANDBOX: .* CHAIN_ID is 8453/,
    ],
    [
      'where browsers would refuse every passkey',
      {
        PASSKEY_RP_ID: 'market.example',
        PASSKEY_ORIGINS: 'https://market.example,https://market.example.evil.example',
      },
      /PASSKEY_ORIGINS: every origin must be https/,
    ],
    [
      'with a cold wallet that nobody proved to control',
      { COLD_WALLET_ADDRESS: '0x5555555555555555555555555555555555555555', HOT_WALLET_CEILING_MICROS: '1' },
      /COLD_WALLET_PROOF/,
    ],
    [
      'with files of users where sessions are',
      { FILES_URL: 'http://localhost:8080' },
      /FILES_URL: must be another host/,
    ],
    ['with an explorer that is no address', { EXPLORER_URL: 'javascript:alert(1)' }, /EXPLORER_URL/],
    ['without a place for files of users', { FILES_URL: undefined }, /FILES_URL: is not set/],
    ['as a sandbox that can mint nothing', { MARKET_SANDBOX: 'true', CHAIN_ID: '31337' }, /SANDBOX_MINTER_KEY/],
  ] as const) {
    it(`does not start ${name}, and says why`, async () => {
      const { lines, ended } = start(changes)
      expect(await ended).to.deep.equal([1, null])
      expect(lines.at(-1)?.msg).to.match(words)
      expect(JSON.stringify(lines)).not.to.include(KEY)
    })
  }
})
