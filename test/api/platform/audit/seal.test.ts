import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createPublicClient, http } from 'viem'
import { audit } from '../../../../api/platform/audit/audit.ts'
import { sealAuditLog } from '../../../../api/platform/audit/seal.ts'
import { makePartitions } from '../../../../api/platform/db/partitions.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { canonicalJson } from '../../../../protocol/encoding/canonical.ts'
import { auditDigest } from '../../../../protocol/records/auditChain.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'

class Crash extends Error {}

describe('the hash chain of the audit log', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    const rpc = createPublicClient({ transport: http('http://127.0.0.1:9') })
    services = { db: world.serviceDb, rpc, settings: world.settings, log: pino({ level: 'silent' }) }
  })

  after(() => world?.stop())

  const act = (subject: string) =>
    world.run((tx) => audit(tx, { actor: 'service', action: 'test', subject, details: { b: 1, a: [true, null] } }))
  const seal = () => sealAuditLog(services)
  const sealed = () =>
    world.db
      .selectFrom('market.audit_seals as seal')
      .innerJoin('market.audit_log as entry', 'entry.id', 'seal.entry_id')
      .selectAll()
      .orderBy('position')
      .execute()
  /** Without the keys that sign heads: the first sealing draws one. */
  const subjects = async () => (await sealed()).map(({ subject }) => subject).filter((subject) => subject !== 'service')

  /**
   * Walks the chain as an auditor does. An erased entry has no salt and no details: its digest stands for it.
   */
  const verify = async () => {
    let link = Buffer.alloc(32)
    for (const [index, entry] of (await sealed()).entries()) {
      const { salt, digest, chain_hash: hash } = entry
      if (entry.position !== BigInt(index + 1)) return false
      const said = { ...entry, created_at: entry.created_at.toISOString() }
      if (salt && !digest.equals(auditDigest(said, salt))) return false
      link = createHash('sha256').update(link).update(digest).digest()
      if (!link.equals(hash)) return false
    }
    return true
  }

  test('takes in every entry once, in order, whoever seals and how often', async () => {
    for (const subject of ['one', 'two', 'three']) await act(subject)
    await Promise.all([seal(), seal(), seal()])
    await seal()
    await act('four')
    await seal()
    expect(await subjects()).to.deep.equal(['one', 'two', 'three', 'four'])
    expect(await verify()).to.equal(true)
  })

  test('goes on where a sealing that had not committed ended, and waits for none', async () => {
    const before = (await subjects()).length
    for (const subject of ['five', 'six']) await act(subject)
    await world.serviceDb
      .transaction()
      .execute(async (tx) => {
        await sql`select market.seal_audit_entries(1)`.execute(tx)
        // Another one, meanwhile: it finds the turn taken, and does nothing.
        await seal()
        expect(await subjects()).to.have.length(before)
        throw new Crash()
      })
      .catch((error: unknown) => expect(error).to.be.instanceOf(Crash))
    await seal()
    expect((await subjects()).slice(-2)).to.deep.equal(['five', 'six'])
    expect(await verify()).to.equal(true)
  })

  test('waits for no transaction that is not done: its entry comes behind, once it has committed', async () => {
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
    const slow = world.run(async (tx) => {
      await audit(tx, { actor: 'service', action: 'test', subject: 'slow' })
      written()
      await mayCommit
    })
    await isWritten
    await act('quick')
    await seal()
    const meanwhile = await subjects()
    commit()
    await slow
    expect(meanwhile.slice(-1)).to.deep.equal(['quick'])
    await seal()
    expect((await subjects()).slice(-2)).to.deep.equal(['quick', 'slow'])
    expect(await verify()).to.equal(true)
  })

  test('keeps what lay in no partition yet, and the guard of it, once its partition is made', async () => {
    await sql`select setval('market.audit_log_ids', 9000000)`.execute(world.db)
    await act('far')
    await seal()
    const placeOf = async () => {
      const { rows } = await sql<{ table: string }>`
        select tableoid::regclass::text as table from market.audit_log where subject = 'far'`.execute(world.db)
      return rows[0]?.table
    }
    expect(await placeOf()).to.equal('partitions.audit_log_rest')
    await makePartitions(services)
    expect(await placeOf()).to.equal(`partitions.audit_log_${'4'.padStart(19, '0')}`)
    expect((await subjects()).at(-1)).to.equal('far')
    expect(await verify()).to.equal(true)
    const gone = await sql`delete from market.audit_log where subject = 'far'`
      .execute(world.db)
      .catch((fault: unknown) => fault)
    expect(gone).to.include({ code: '23001' })
    await act('further')
    await seal()
    expect((await subjects()).at(-1)).to.equal('further')
  })

  test('has the digest that anybody computes who has the content, whatever details say', async () => {
    const name = fc.string({ unit: 'binary-ascii' }).map((text) => text.replaceAll('\0', ''))
    const text = fc.string({ unit: 'binary' }).map((said) => said.replaceAll('\0', ''))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    }))
    const samples = fc.sample(value, { numRuns: 300, seed: 7 })
    const texts = samples.map((sample) => JSON.stringify(sample))
    const { rows } = await sql<{ canonical: string }>`
      select market.canonical_json(value::jsonb) as canonical from unnest(${texts}::text[]) with ordinality given (value, place)
      order by place`.execute(world.db)
    expect(rows.map(({ canonical }) => canonical)).to.deep.equal(
      samples.map((sample) => canonicalJson(JSON.parse(JSON.stringify(sample)))),
    )
    for (const details of [{ half: 0.5 }, { big: 2 ** 60 }, { ä: 1 }]) {
      const refused = await world
        .run((tx) => audit(tx, { actor: 'service', action: 'test', subject: 'odd', details }))
        .catch((error: unknown) => error)
      expect(refused).to.include({ code: '22000' })
    }
  })

  test('never changes, for the owner of the database either, except that an erasure empties an entry', async () => {
    const refused = async (statement: string) => {
      const error = await sql
        .raw(statement)
        .execute(world.db)
        .catch((fault: unknown) => fault)
      expect(error, statement).to.include({ code: '23001' })
    }
    for (const change of [
      `update market.audit_log set details = '{"forged": true}' where subject = 'three'`,
      `update market.audit_log set action = 'forged', salt = null, details = null where subject = 'three'`,
      `update market.audit_log set salt = decode('00', 'hex') where subject = 'three'`,
      `delete from market.audit_log where subject = 'three'`,
      'truncate market.audit_log',
      'update market.audit_seals set position = position + 1000',
      'delete from market.audit_seals',
      'truncate market.audit_seals',
      'update market.audit_heads set position = 1',
      'delete from market.audit_heads',
      'truncate market.audit_heads',
      'truncate market.audit_accounts',
    ])
      await refused(change)
    await sql`update market.audit_log set salt = null, details = null where subject = 'two'`.execute(world.db)
    expect(await verify()).to.equal(true)
  })
})
