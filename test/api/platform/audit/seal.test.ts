import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createPublicClient, http } from 'viem'
import { audit } from '../../../../api/platform/audit/audit.ts'
import { sealAuditLog } from '../../../../api/platform/audit/seal.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { auditDigest } from '../../../../protocol/auditChain.ts'
import { untilNoOlderTransaction } from '../../../stack/settled.ts'
import { startWorld, type World } from '../../payments/escrow/world.ts'

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
  const seal = async () => {
    await untilNoOlderTransaction(world.db)
    await sealAuditLog(services)
  }
  const entries = () => world.db.selectFrom('market.audit_log').selectAll().orderBy('position').execute()
  const sealed = async () => (await entries()).filter(({ position }) => position !== null)
  const subjects = async () => (await sealed()).map(({ subject }) => subject)

  /** Walks the chain as an auditor does. An erased entry has no salt and no details: its digest stands for it. */
  const verify = async () => {
    let link = Buffer.alloc(32)
    for (const [index, entry] of (await sealed()).entries()) {
      const { salt, digest, chain_hash: hash } = entry
      if (!digest || !hash || entry.position !== BigInt(index + 1)) return false
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

  test('waits for a transaction that began earlier and is not done: nothing can appear before what is sealed', async () => {
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
    const slow = world.run(async (tx) => {
      await audit(tx, { actor: 'service', action: 'test', subject: 'slow' })
      written()
      await mayCommit
    })
    await isWritten
    await act('quick')
    await sealAuditLog(services)
    const meanwhile = await subjects()
    commit()
    await slow
    expect(meanwhile).to.not.include('quick')
    await seal()
    expect((await subjects()).slice(-2)).to.deep.equal(['slow', 'quick'])
    expect(await verify()).to.equal(true)
  })

  test('shows what was changed, and still holds when a person is erased from it', async () => {
    await sql`update market.audit_log set salt = null, details = null where subject = 'two'`.execute(world.db)
    expect(await verify()).to.equal(true)
    await sql`update market.audit_log set details = '{"forged": true}' where subject = 'three'`.execute(world.db)
    expect(await verify()).to.equal(false)
  })
})
