import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { Supervisor } from '../../../../cli/stack/internal/supervisor.ts'
import { type Cluster, createCluster } from '../../../../cli/stack/postgres/cluster.ts'

describe('the embedded Postgres', () => {
  const logDir = join(tmpdir(), `market-cluster-${randomUUID()}`)
  const supervisor = new Supervisor({ logDir })
  let cluster: Cluster

  before(async () => {
    cluster = await createCluster({ durable: true })
    await supervisor.start(cluster.spec)
  })

  after(async () => {
    await supervisor.stop()
    await rm(logDir, { recursive: true, force: true })
  })

  async function query(text: string, url = cluster.adminUrl): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  it('keeps what was committed when it is killed, and comes back on the same port', async () => {
    await query('create table kept as select 42 as answer')
    const client = new pg.Client({ connectionString: cluster.adminUrl })
    client.on('error', () => {})
    await client.connect()
    await supervisor.kill('postgres')
    await supervisor.restart('postgres')
    expect(await query('table kept')).to.deep.equal([{ answer: 42 }])
  })

  it('lets nobody in without the password', async () => {
    const url = new URL(cluster.adminUrl)
    url.password = 'a guess'
    const error = await query('select 1', url.href).catch((reason: Error) => reason)
    expect(String(error)).to.include('password authentication failed')
  })

  it('listens on this machine alone, and takes the connections of a whole market', async () => {
    const [settings] = await query(`select current_setting('listen_addresses') as addresses,
      current_setting('max_connections')::int as connections, current_setting('fsync') as fsync`)
    expect(settings).to.deep.equal({ addresses: '127.0.0.1', connections: 300, fsync: 'on' })
  })

  it('keeps its files to the account it runs as, which is not root', async () => {
    const data = await stat(cluster.spec.args[1] ?? '')
    expect(data.mode & 0o777).to.equal(0o700)
    expect(data.uid).to.not.equal(0)
  })

  it('folds case the same way on every machine', async () => {
    expect(await query(`select lower('ÄÖÜ') as lower`)).to.deep.equal([{ lower: 'äöü' }])
  })
})
