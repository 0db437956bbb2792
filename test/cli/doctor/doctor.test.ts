import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import { generatePrivateKey } from 'viem/accounts'
import { examine } from '../../../cli/doctor/doctor.ts'
import { inSession } from '../../../cli/doctor/internal/check.ts'
import { headFaults, skewFaults } from '../../../cli/doctor/internal/clocks.ts'
import { PROCESSES, type ProcessName } from '../../../cli/doctor/internal/place.ts'
import { roleFaults } from '../../../cli/doctor/internal/roles.ts'
import { ROOT, STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'
import { startRedis, withoutRedis } from '../../kit/redis.ts'
import { startDatabase, type TestDatabase } from '../../kit/stack/database.ts'
import { startIndexDatabase, type TestIndex } from '../../kit/stack/indexDatabase.ts'
import { missingPgbouncer, startPgbouncer } from '../../kit/stack/pgbouncer.ts'

type Variables = Record<string, string>

describe('./market doctor', () => {
  let chain: TestChain
  let database: TestDatabase
  let index: TestIndex
  let folder: string
  // What the proxy leads to: an api that runs already.
  const api = createServer((request, response) =>
    request.url === '/healthz' ? response.end('{"status":"ok"}') : response.writeHead(404).end('{}'),
  )
  const held = new Set<Socket>()
  const silent = createTcpServer((socket) => held.add(socket))
  const secrets = { SECRET_KEY: randomBytes(32).toString('hex'), SIGNING_KEY: randomBytes(32).toString('hex') }
  let processes: Record<ProcessName, Variables>

  before(async () => {
    for (const server of [api, silent]) await once(server.listen(0, '127.0.0.1'), 'listening')
    await mkdir(STATE_DIR, { recursive: true })
    ;[chain, database, index, folder] = await Promise.all([
      startChain(),
      startDatabase(),
      startIndexDatabase(),
      mkdtemp(join(STATE_DIR, 'doctor-')),
    ])
    processes = environments(await freePort())
  })

  after(async () => {
    for (const socket of held) socket.destroy()
    api.close()
    silent.close()
    await Promise.all([chain?.stop(), database?.stop(), index?.stop(), rm(folder, { recursive: true, force: true })])
  })

  const portOf = ({ address }: { address: () => unknown }) => (address() as AddressInfo).port

  function environments(freePort: number): Record<ProcessName, Variables> {
    const { submitter, resolver, hotWallet, feeRecipient } = chain.accounts
    const port = String(portOf({ address: () => api.address() }))
    const settings = {
      RPC_URL: chain.rpcUrl,
      CHAIN_ID: String(chain.chainId),
      ESCROW_ADDRESS: chain.escrow,
      TOKEN_ADDRESS: chain.token,
      HOT_WALLET_ADDRESS: hotWallet.address,
      START_BLOCK: String(chain.startBlock),
      MARKET_SANDBOX: 'true',
      BASE_URL: `http://localhost:${port}`,
    }
    const service = {
      ...{ ...settings, ...secrets, BLOB_DIR: folder, FEE_RECIPIENT: feeRecipient.address },
      INDEX_DATABASE_URL: index.indexUrls.reader,
    }
    const keys = {
      SUBMITTER_KEYS: submitter.privateKey,
      RESOLVER_KEY: resolver.privateKey,
      HOT_WALLET_KEY: hotWallet.privateKey,
    }
    return {
      api: {
        ...{ ...service, DATABASE_URL: database.roleUrls.api, HOST: '127.0.0.1', PORT: port },
        ...{ FILES_URL: `http://127.0.0.1:${port}`, SANDBOX_MINTER_KEY: chain.accounts.minter.privateKey },
      },
      worker: { ...service, DATABASE_URL: database.roleUrls.worker },
      facilitator: { ...settings, ...keys, DATABASE_URL: database.roleUrls.facilitator },
      indexer: { ...settings, INDEX_DATABASE_URL: index.indexUrls.indexer, PORT: String(freePort) },
      migrate: { DATABASE_URL: database.url, INDEX_DATABASE_URL: index.url },
    }
  }

  /**
   * The faults of a process whose environment differs, each as `check: fault`; and that nothing secret is in
   * them.
   */
  async function faultsOf(name: ProcessName, changes: Variables = {}, limitMs = 5_000): Promise<string[]> {
    const env = { ...processes[name], ...changes }
    const findings = await examine(name, env, { limitMs })
    for (const secret of secretsOf(env)) expect(JSON.stringify(findings)).not.to.include(secret)
    for (const { faults } of findings) for (const { cure } of faults) expect(cure).to.match(/\w{3}/)
    return findings.flatMap(({ check, faults }) => faults.map(({ fault }) => `${check}: ${fault}`))
  }

  function secretsOf(env: Variables): string[] {
    const keys = Object.entries(env).filter(([name, value]) => /_KEYS?$/.test(name) && /\w{64}/.test(value))
    const urls = Object.entries(env).filter(([name, url]) => name.endsWith('DATABASE_URL') && url !== '')
    return [...keys.map(([, key]) => key), ...urls.map(([, url]) => new URL(url).password).filter((one) => one !== '')]
  }

  it('finds nothing wrong where nothing is', async () => {
    for (const name of PROCESSES) expect(await faultsOf(name), name).to.deep.equal([])
  })

  it('prints what it finds, as JSON too, and exits by it', async () => {
    const doctor = (changes: Variables, ...args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...processes.facilitator, ...changes }
      return promisify(execFile)(process.execPath, [join(ROOT, 'cli/main.ts'), 'doctor', ...args], { env })
    }
    const failure = await doctor({ CHAIN_ID: '1337' }, 'facilitator', '--json').catch((error) => error)
    expect(failure.code).to.equal(1)
    const report = JSON.parse(failure.stdout)
    expect(report).to.deep.include({ process: 'facilitator', ok: false })
    const [node] = report.checks.filter(({ check }: { check: string }) => check === 'RPC_URL')
    expect(node.faults[0].fault).to.equal('RPC_URL serves chain 31337, and CHAIN_ID is 1337')
    expect(node.faults[0].cure).to.include('./market deploy')
  })

  it('names each variable that is missing or wrong, and FILES_URL on the host of the API', async () => {
    const missing = await faultsOf('worker', { CHAIN_ID: 'x', BLOB_DIR: '' })
    expect(missing.sort()).to.deep.equal([
      'settings: BLOB_DIR: is not set',
      'settings: CHAIN_ID: Invalid input: expected number, received NaN',
    ])
    const { BASE_URL = '' } = processes.api
    expect((await faultsOf('api', { FILES_URL: BASE_URL })).join()).to.match(
      /^settings: FILES_URL: must be another host/,
    )
  })

  it('checks what the other settings lead to where some are wrong', async () => {
    const worker = { CHAIN_ID: 'x', BLOB_DIR: '', DATABASE_URL: database.roleUrls.facilitator }
    expect((await faultsOf('worker', worker)).map((fault) => fault.split(':')[0]).sort()).to.deep.equal([
      ...['DATABASE_URL', 'DATABASE_URL', 'roles', 'settings', 'settings'],
    ])
    // One of these is found only once the other is put aside: a file is read before any value is.
    const keys = {
      SUBMITTER_KEYS: '',
      SUBMITTER_KEYS_FILE: join(folder, 'none'),
      HOT_WALLET_KEY: 'no key',
      CHAIN_ID: '1337',
    }
    const facilitator = (await faultsOf('facilitator', keys)).map((fault) => fault.split(' ').slice(0, 2).join(' '))
    expect(facilitator.sort()).to.deep.equal([
      ...['RPC_URL: RPC_URL', 'secret files:', 'settings: HOT_WALLET_KEY:', 'settings: SUBMITTER_KEYS_FILE:'],
    ])
    const indexer = await faultsOf('indexer', { START_BLOCK: '', INDEX_DATABASE_URL: index.url })
    expect(indexer[0]).to.equal('settings: START_BLOCK: is not set')
    expect(indexer[1]).to.match(/^INDEX_DATABASE_URL: .* owns that database/)
    const nothing = Object.fromEntries(Object.keys(processes.api).map((name) => [name, '']))
    const faults = await faultsOf('api', nothing)
    expect(
      faults.every((fault) => /^settings: [A-Z_]+: is not set$/.test(fault)),
      faults.join('\n'),
    ).to.equal(true)
    expect(faults).to.have.length.above(10)
  })

  it('finds what the facilitator itself refuses to run with', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await client.query('grant select (id) on market.agents to market_facilitator')
      const faults = await faultsOf('facilitator')
      expect(faults).to.have.lengthOf(1)
      expect(faults[0]).to.match(
        /^DATABASE_URL: database role market_facilitator may use market.agents: use market_facilitator, /,
      )
    } finally {
      await client.query('revoke select (id) on market.agents from market_facilitator')
      await client.end()
    }
  })

  const mains = {
    api: 'api/main.ts',
    worker: 'api/worker.ts',
    facilitator: 'facilitator/main.ts',
    indexer: 'indexer/main.ts',
  }

  /** The last line of the log of a process that does not start. */
  async function refusalOf(name: keyof typeof mains, changes: Variables): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...processes[name], ...changes }
    const options = { env, timeout: 30_000 }
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, mains[name])], options).then(
      () => expect.fail(`${name} ended well`),
      (error: { stdout: string }) => error,
    )
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '').msg
  }

  /** Runs statements as the owner of a database, and others at the end. */
  async function withChange(url: string, [change, back]: [string, string], act: () => Promise<void>): Promise<void> {
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    try {
      await owner.query(change)
      await act().finally(() => owner.query(back))
    } finally {
      await owner.end()
    }
  }

  const REAL = { MARKET_SANDBOX: 'false', SANDBOX_MINTER_KEY: '' }
  const CLOCK = 'create schema sandbox; create table sandbox.clock (); grant usage on schema sandbox to public'
  /** A setting or a database that is broken, the processes that refuse it, and their words. */
  const breaks: {
    what: string
    processes: (keyof typeof mains)[]
    changes?: () => Variables
    statements?: [where: 'market' | 'index', change: string, back: string]
    fault: RegExp
  }[] = [
    {
      what: 'a node of another chain',
      processes: ['api', 'worker', 'facilitator', 'indexer'],
      changes: () => ({ CHAIN_ID: '1337' }),
      fault: /^RPC_URL serves chain 31337, and CHAIN_ID is 1337$/,
    },
    {
      what: 'an escrow that is none',
      processes: ['facilitator'],
      changes: () => ({ ESCROW_ADDRESS: chain.accounts.feeRecipient.address }),
      fault: /^there is no contract at ESCROW_ADDRESS/,
    },
    {
      what: 'factories of wallets on a chain without Multicall3',
      processes: ['facilitator'],
      changes: () => ({ WALLET_FACTORIES: chain.escrow }),
      fault: /^there is no contract at the address of Multicall3, which WALLET_FACTORIES needs/,
    },
    {
      what: 'the login of the owner of the market',
      processes: ['api', 'worker', 'facilitator'],
      changes: () => ({ ...REAL, DATABASE_URL: database.url }),
      fault: /^(DATABASE_URL is of the role|database role) \w+,? (which )?may (write|use) /,
    },
    {
      what: 'the login of the owner of the index',
      processes: ['api', 'worker', 'indexer'],
      changes: () => ({ ...REAL, INDEX_DATABASE_URL: index.url }),
      fault: /^INDEX_DATABASE_URL is of the role \w+, which owns that database/,
    },
    {
      what: 'a movable clock where money is real',
      processes: ['api', 'worker'],
      changes: () => REAL,
      statements: ['market', CLOCK, 'drop schema sandbox cascade'],
      fault: /^this database belongs to a sandbox, whose clock can be moved/,
    },
    {
      what: 'a database that this version never migrated',
      processes: ['api', 'worker', 'facilitator'],
      statements: [
        'market',
        "update public.versions set version = 'not ' || version",
        'update public.versions set version = substr(version, 5)',
      ],
      fault: /^The database was never migrated by version /,
    },
    {
      what: 'the index of another chain with the same id',
      processes: ['indexer'],
      statements: ['index', 'create schema indexer_31337_0123456789_0', 'drop schema indexer_31337_0123456789_0'],
      fault: /^this database indexed another chain with id 31337 .+: a new chain needs a new database$/,
    },
    {
      what: 'a search path',
      processes: ['api', 'worker', 'facilitator'],
      statements: [
        'market',
        `do $$ begin execute format('alter database %I set search_path = public', current_database()); end $$`,
        `do $$ begin execute format('alter database %I set search_path = %L', current_database(), ''); end $$`,
      ],
      fault: /^the search_path of the database is public, and must be empty/,
    },
  ]
  for (const { what, processes: names, changes = () => ({}), statements, fault } of breaks)
    it(`finds ${what} in the words by which ${names.join(', ')} does not start`, { timeout: 120_000 }, async () => {
      const act = async () => {
        for (const name of names) {
          const refusal = await refusalOf(name, changes())
          expect(refusal, name).to.match(fault)
          const found = await faultsOf(name, changes())
          expect(
            found.map((one) => one.replace(/^[\w ]+: /, '')),
            name,
          ).to.include(refusal)
        }
      }
      if (!statements) return act()
      const [where, ...pair] = statements
      await withChange(where === 'market' ? database.url : index.url, pair, act)
    })

  it('changes nothing in a database, nor in a session that a pooler lends to others after it', async () => {
    const change = inSession(database.url, (client) => client.query('create table public.kept ()'))
    expect((await change.catch((error) => error)).code).to.equal('25006')
  })

  it('finds a remote signer that lacks keys', async () => {
    const address = chain.accounts.submitter.address
    const signer = createServer((_request, response) => response.end('[]'))
    await once(signer.listen(0, '127.0.0.1'), 'listening')
    try {
      const SIGNER_URL = `http://127.0.0.1:${portOf({ address: () => signer.address() })}`
      const faults = await faultsOf('facilitator', { SIGNER_URL, SUBMITTER_KEYS: address })
      expect(faults).to.deep.equal([`SIGNER_URL: the signer has no key of ${address}`])
    } finally {
      signer.close()
    }
  })

  it('finds contracts that are not there, and a resolver that is another', async () => {
    const { HOT_WALLET_ADDRESS = '' } = processes.api
    expect(await faultsOf('worker', { ESCROW_ADDRESS: HOT_WALLET_ADDRESS })).to.deep.equal([
      `RPC_URL: there is no contract at ESCROW_ADDRESS ${HOT_WALLET_ADDRESS}`,
    ])
    expect(await faultsOf('worker', { START_BLOCK: '999999' })).to.have.lengthOf(1)
    const faults = await faultsOf('facilitator', { RESOLVER_KEY: generatePrivateKey() })
    expect(faults[0]).to.match(/^RPC_URL: the escrow's resolver is 0x/)
  })

  it('finds keys without gas', async () => {
    const faults = await faultsOf('facilitator', { SUBMITTER_KEYS: generatePrivateKey() })
    expect(faults).to.have.lengthOf(1)
    expect(faults[0]).to.match(/^gas: 0x\w{40} of SUBMITTER_KEYS has 0 native coins/)
  })

  it('finds files of secrets that others may read', async () => {
    const file = join(folder, 'secret_key')
    await writeFile(file, secrets.SECRET_KEY)
    const given = { SECRET_KEY: '', SECRET_KEY_FILE: file }
    await chmod(file, 0o640)
    expect(await faultsOf('worker', given)).to.deep.equal([
      `secret files: SECRET_KEY_FILE: others than its owner may use ${file}`,
    ])
    await chmod(file, 0o600)
    // Of another program.
    const others = { ...given, SSL_CERT_FILE: join(folder, 'none') }
    expect(await faultsOf('worker', others)).to.deep.equal([])
    const gone = await faultsOf('worker', { SECRET_KEY: '', SECRET_KEY_FILE: join(folder, 'none') })
    expect(gone.filter((fault) => fault.includes('SECRET_KEY_FILE'))).to.have.lengthOf(2)
  })

  it('finds folders that cannot be written to, and ports of others [risk API8]', async () => {
    const port = String(portOf({ address: () => silent.address() }))
    const changes = { BLOB_DIR: '/proc/self', CONSOLE_DIR: folder, METRICS_PORT: port, FILES_URL: 'http://127.0.0.1:9' }
    const faults = await faultsOf('api', changes, 1_000)
    expect(faults.map((fault) => fault.split(':')[0]).sort()).to.deep.equal([
      ...['BLOB_DIR', 'CONSOLE_DIR', 'FILES_URL', 'METRICS_PORT'],
    ])
  })

  it('gives up on what hangs', async () => {
    const place = `127.0.0.1:${portOf({ address: () => silent.address() })}`
    const changes = { RPC_URL: `http://${place}`, REDIS_URL: `redis://:hidden@${place}` }
    const faults = await faultsOf('worker', changes, 300)
    expect(faults).to.include('RPC_URL: no answer within 0.3 seconds')
    expect(faults).to.include('REDIS_URL: no answer within 0.3 seconds')
    expect(faults.join()).not.to.include('hidden')
  })

  it('finds a login of another process, and one that may do everything', async () => {
    const others = await faultsOf('worker', { DATABASE_URL: database.roleUrls.facilitator })
    expect(others.map((fault) => fault.split(/: (?:whoever|use)/)[0])).to.deep.equal([
      'DATABASE_URL: DATABASE_URL is of the role market_facilitator, which may write facilitator.heartbeat',
      'DATABASE_URL: this login may not read which migrations the database has',
      'roles: DATABASE_URL is of the role market_facilitator, which lacks the rights of market_worker',
    ])
    const faults = await faultsOf('api', { DATABASE_URL: database.url, INDEX_DATABASE_URL: index.url })
    expect(faults.join('\n'))
      .to.match(/^DATABASE_URL: DATABASE_URL is of the role \w+, which may write /m)
      .and.match(/^INDEX_DATABASE_URL: INDEX_DATABASE_URL is of the role \w+, which owns that database/m)
      .and.match(/^DATABASE_URL: statement_timeout of \w+ is not limited/m)
    expect((await faultsOf('facilitator', { DATABASE_URL: database.url })).join('\n')).to.match(
      /^DATABASE_URL: database role \w+ may use /m,
    )
    const wrong = new URL(database.roleUrls.api)
    wrong.password = 'not-the-password'
    const refused = await faultsOf('api', { DATABASE_URL: wrong.href })
    expect(refused.join('\n')).to.match(/^DATABASE_URL: password authentication failed/m)
  })

  it('finds settings that are stored for a role, and tells how they are removed or kept', async () => {
    const admin = new pg.Client(database.url)
    await admin.connect()
    const [{ name }] = (await admin.query('select current_database() as name')).rows
    const store = (what: string) => admin.query(`alter role market_api in database ${name} ${what}`)
    await store(`set statement_timeout = '9s'`)
    await store('set default_transaction_read_only = on')
    await store(`set lock_timeout = '30s'`)
    const place = `a setting is stored for market_api in database ${name}`
    for (const process of ['api', 'migrate'] as const)
      expect(await faultsOf(process, { KEPT_ROLE_SETTINGS: 'work_mem, statement_timeout' })).to.deep.equal([
        `roles: ${place}: default_transaction_read_only = on`,
      ])
    expect(await faultsOf('worker')).to.deep.equal([
      `roles: ${place}: default_transaction_read_only = on`,
      `roles: ${place}: statement_timeout = 9s`,
    ])
    expect((await faultsOf('migrate', { KEPT_ROLE_SETTINGS: 'search_path' })).join()).to.include(
      'KEPT_ROLE_SETTINGS: must not',
    )
    await store('reset all')
    await admin.end()
  })

  it('finds a pooler of transactions where a session is needed', { skip: missingPgbouncer() ?? false }, async () => {
    const { worker: url } = database.roleUrls
    const pooler = await startPgbouncer([url])
    try {
      const faults = await faultsOf('worker', { DATABASE_URL: pooler.through(url), DATABASE_POOLER: 'transaction' })
      expect(faults.join()).to.match(/^sessions of DATABASE_URL: .+set DATABASE_SESSION_URL/)
      const session = { DATABASE_SESSION_URL: url, DATABASE_POOLER: 'transaction' }
      expect(await faultsOf('worker', { ...session, DATABASE_URL: pooler.through(url) })).to.deep.equal([])
      // Others get the server's sessions after it.
      const next = new pg.Client({ connectionString: pooler.through(url) })
      await next.connect()
      const { rows } = await next.query('show statement_timeout').finally(() => next.end())
      expect(rows).to.deep.equal([{ statement_timeout: '10min' }])
    } finally {
      await pooler.stop()
    }
  })

  it('finds a Redis that drops keys', { skip: withoutRedis() }, async () => {
    const redis = await startRedis()
    const client = new Redis(redis.url)
    try {
      expect(await faultsOf('worker', { REDIS_URL: redis.url })).to.deep.equal([])
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
      expect((await faultsOf('worker', { REDIS_URL: redis.url })).join()).to.match(/^REDIS_URL: .+allkeys-lru/)
    } finally {
      client.disconnect()
      await redis.stop()
    }
  })

  it('finds roles that are missing, or may do more than they should', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      expect(await roleFaults(client)).to.deep.equal([])
      await client.query('begin')
      await client.query(`create role doctor_rich createrole; grant insert on ledger.entries to doctor_rich`)
      const roles = ['doctor_rich', 'doctor_none'].map((name) => ({ name, writes: [] }))
      expect((await roleFaults(client, roles)).map(({ fault }) => fault)).to.deep.equal([
        'there is no role doctor_none',
        'the role doctor_rich may create roles',
        'the role doctor_rich may write ledger.entries',
      ])
    } finally {
      await client.end()
    }
  })

  it('finds a database of another version, and too few connections', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await client.query('delete from public.versions')
      await client.query(`alter database ${client.database} connection limit 11`)
      const faults = await faultsOf('api')
      expect(faults.join('\n'))
        .to.match(/^DATABASE_URL: The database was never migrated by version /m)
        .and.match(/^DATABASE_URL: one process opens up to 12 connections, and this login may have 11/m)
      const misfit = /^DATABASE_URL: The database was never migrated by version /m
      expect((await faultsOf('facilitator')).join('\n')).to.match(misfit)
      await client.query(`drop table public.versions, public.migrations cascade`)
      expect((await faultsOf('migrate')).join()).to.match(/^DATABASE_URL: The database waits for migrations/)
    } finally {
      await client.end()
    }
  })

  it('finds clocks that are off', () => {
    const now = 1_800_000_000_000
    const [block, asked] = [
      (seconds: bigint) => ({ number: 7n, timestamp: BigInt(now / 1_000) + seconds }),
      { before: now, after: now + 100 },
    ]
    expect(
      [skewFaults(now - 1_900, asked), skewFaults(now + 2_000, asked), headFaults(block(-290n), now)].flat(),
    ).to.deep.equal([])
    expect(skewFaults(now - 3_000, asked)[0]?.fault).to.equal(
      "the clock of the database is 3.0 seconds behind this machine's",
    )
    expect(skewFaults(now + 3_100, asked)[0]?.fault).to.include('3.0 seconds ahead')
    expect(headFaults(block(20n), now)[0]?.fault).to.equal(
      "block 7 is 20 seconds in the future by this machine's clock",
    )
    expect(headFaults(block(-400n), now)[0]?.fault).to.equal('the newest block, 7, is 400 seconds old')
  })
})
