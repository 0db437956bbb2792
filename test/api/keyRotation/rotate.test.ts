import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import { publicConfig } from '../../../api/config/publicConfig.ts'
import { rotateKeys } from '../../../api/keyRotation/rotate.ts'
import { inTransaction } from '../../../api/platform/db/transaction.ts'
import { countForeignKeys, ensureSigningKeys, publishedKeys, signAs } from '../../../api/platform/signing/keys.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { publicKeyJwk, SIGNING_PURPOSES, signDocument, verifyDocument } from '../../../protocol/keys/signing.ts'
import { verifyAuditLog } from '../../../sdk/auditLog.ts'
import { checkReceipt } from '../../../sdk/receipts.ts'
import { delivered, newTrader, placed, read, startMarket, type TestMarket } from '../../kit/api/trading.ts'

describe('signing keys', () => {
  let market: TestMarket
  before(async () => {
    market = await startMarket()
    await ensureSigningKeys(market.api.db, market.api.settings)
  })
  after(() => market.stop())

  const rotate = (purposes = SIGNING_PURPOSES as readonly (typeof SIGNING_PURPOSES)[number][]) =>
    inTransaction(market.api.db, 'read write', (tx) => rotateKeys(tx, market.api.settings, purposes))
  /** As a superuser, whom no trigger stops. */
  const byHand = (...statements: RawBuilder<unknown>[]) =>
    market.api.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      for (const statement of statements) await statement.execute(tx)
    })
  const keys = () => publishedKeys(market.api.db, market.api.settings)
  const tradedReceipt = async () => {
    const [buyer, seller] = [await newTrader(market), await newTrader(market)]
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    const urn = urnString('receipt', (await read(order)).receipt_urn?.body ?? '')
    const proof = async () => (await buyer.client.call('verifyReceipt', { params: { urn } })).body.proof
    return { buyer, proof, receipt: (await buyer.client.call('getReceipt', { params: { urn } })).body.signed }
  }
  /** What checkReceipt finds of the signature, by keys. */
  const faults = async ({ proof }: Awaited<ReturnType<typeof tradedReceipt>>, by: Awaited<ReturnType<typeof keys>>) => {
    const proved = await proof()
    if (!proved) throw new Error('the receipt is not final')
    return { valid: proved.valid, faults: await checkReceipt(proved, by) }
  }
  const clean = { valid: true, faults: [] }

  it('rotate while the service runs, and what they signed verifies, online and offline [spec 4:36]', async () => {
    const before = await tradedReceipt()
    const { buyer } = before
    const { body: config } = await buyer.client.call('getPublicConfig', {})
    const { body: head } = await buyer.client.call('getAuditHead', {})
    await rotate()
    const after = await tradedReceipt()
    expect(after.receipt?.key_id).to.be.a('string').and.not.equal(before.receipt?.key_id)
    const { body: now } = await buyer.client.call('getPublicConfig', {})
    expect(now.fees.key_id).not.to.equal(config.fees.key_id)
    for (const one of [before, after]) expect(await faults(one, now.keys.keys)).to.deep.equal(clean)
    expect(await faults(before, config.keys.keys)).to.deep.equal(clean)
    for (const { document, key_id: keyId, signature } of [config.fees, now.fees]) {
      expect(await verifyDocument(document, { keyId, signature }, now.keys.keys, { purpose: 'fees' })).to.equal(true)
    }
    const { document, key_id: keyId, signature } = head
    const as = { purpose: 'audit_head', at: document.as_of } as const
    expect(await verifyDocument(document, { keyId, signature }, now.keys.keys, as)).to.equal(true)
    await verifyAuditLog(buyer.client, now.keys.keys)
  })

  it('sign for one purpose, while they are valid', async () => {
    const document = { at: new Date().toISOString() }
    const signed = await signAs(market.api.db, market.api.settings, 'receipts', document)
    const verified = async (as: Parameters<typeof verifyDocument>[3]) =>
      verifyDocument(document, signed, await keys(), as)
    expect(await verified({ purpose: 'receipts', at: document.at })).to.equal(true)
    expect(await verified({ purpose: 'liabilities', at: document.at })).to.equal(false)
    await rotate(['receipts'])
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    expect(await verified({ purpose: 'receipts', at: document.at })).to.equal(true)
    expect(await verified({ purpose: 'receipts', at: soon })).to.equal(false)
    expect(await verified({ purpose: 'receipts', at: '2000-01-01T00:00:00Z' })).to.equal(false)
  })

  it('are drawn once by many processes, and rotated one after the other', async () => {
    const { db, settings } = market.api
    await db.deleteFrom('market.signing_keys').execute()
    await Promise.all(Array.from({ length: 8 }, () => ensureSigningKeys(db, settings)))
    expect(await keys()).to.have.length(SIGNING_PURPOSES.length)
    await Promise.allSettled(Array.from({ length: 4 }, () => rotate()))
    const inUse = (await keys()).filter(({ valid_until }) => valid_until === undefined)
    expect(inUse.map(({ purpose }) => purpose)).to.have.members([...SIGNING_PURPOSES])
  })

  it('are of no use to who has the database alone: none is added, changed, or signed with', async () => {
    const { db, settings } = market.api
    const known = await keys()
    const stolen = JSON.stringify(await db.selectFrom('market.signing_keys').selectAll().execute())
    const { seed } = { seed: randomBytes(32).toString('hex') }
    const { kid, x } = await publicKeyJwk(seed)
    const row = { kid, x, purpose: 'receipts' as const, valid_from: new Date(0), sealed: Buffer.from(seed, 'hex') }
    await byHand(sql`insert into market.signing_keys (kid, x, purpose, valid_from, valid_until, sealed)
      values (${row.kid}, ${row.x}, ${row.purpose}, ${row.valid_from}, ${new Date(Date.now() + 1e10)}, ${row.sealed})`)
    expect(await keys()).to.deep.equal(known)
    const signed = await signDocument({ made: 'up' }, seed)
    expect(await verifyDocument({ made: 'up' }, signed, await keys(), { purpose: 'receipts' })).to.equal(false)
    await db.deleteFrom('market.signing_keys').where('kid', '=', kid).execute()
    const inUse = known.find((key) => key.purpose === 'receipts' && !key.valid_until)
    const change = (set: { x?: string; purpose?: 'receipts' | 'fees'; valid_from?: Date }) =>
      db
        .updateTable('market.signing_keys')
        .set(set)
        .where('kid', '=', inUse?.kid ?? '')
        .execute()
    await change({ x })
    expect((await keys()).map((key) => key.kid)).not.to.include(inUse?.kid)
    const failure = await signAs(db, settings, 'receipts', {}).catch((error) => String(error))
    expect(failure).to.include('was not sealed with this SIGNING_KEY')
    await change({ x: inUse?.x ?? '' })
    expect(await keys()).to.deep.equal(known)
    expect(stolen).not.to.include(settings.signingKey)
  })

  it('are added by a stolen login of the API only as new ones, and neither changed, retired nor deleted [risk market-api]', async () => {
    const { serviceDb } = market.api
    const known = await keys()
    const codeOf = (statement: string) =>
      sql
        .raw(statement)
        .execute(serviceDb)
        .then(
          () => 'done',
          (error: { code?: string }) => error.code,
        )
    for (const change of [`sealed = '\\x00'`, `valid_until = now()`, `purpose = 'x'`, `valid_from = 'infinity'`])
      expect(await codeOf(`update market.signing_keys set ${change}`), change).to.equal('42501')
    expect(await codeOf('delete from market.signing_keys')).to.equal('42501')
    const row = (values: string) =>
      `insert into market.signing_keys (kid, purpose, x, valid_from, valid_until, sealed) ${values}`
    const x = `'${'a'.repeat(43)}'`
    for (const junk of [
      `('j1', 'receipts', ${x}, now(), now(), decode(repeat('00', 60), 'hex'))`,
      `('j2', 'anything', ${x}, now(), null, decode(repeat('00', 60), 'hex'))`,
      `('j3', 'receipts', ${x}, 'infinity', null, decode(repeat('00', 60), 'hex'))`,
      `('j4', 'receipts', ${x}, now(), null, '')`,
      `('', 'receipts', '', now(), null, decode(repeat('00', 60), 'hex'))`,
    ])
      expect(await codeOf(row(`values ${junk}`)), junk).to.equal('23514')
    const second = row(`values ('j6', 'receipts', ${x}, now(), null, decode(repeat('00', 60), 'hex'))`)
    expect(await codeOf(second)).to.equal('23505')
    expect(await keys()).to.deep.equal(known)
    expect((await market.api.send('GET', '/v1/config/public')).status).to.equal(200)
  })

  it('are published and sign whatever rows are on file beside them, and the owner replaces one that is not ours', async () => {
    const { db, settings } = market.api
    const known = await keys()
    const x = 'a'.repeat(43)
    await byHand(
      sql`delete from market.signing_keys where purpose = 'reputation' and valid_until is null`,
      sql`insert into market.signing_keys (kid, purpose, x, valid_from, valid_until, sealed) values
        ('k1', 'receipts', ${x}, 'infinity', now(), ''), ('k2', 'receipts', ${x}, '-infinity', 'infinity', '\\x00'),
        ('k3', '', ${x}, now(), now(), decode(repeat('00', 60), 'hex')),
        ('k4', 'reputation', ${x}, now(), null, decode(repeat('00', 60), 'hex'))`,
    )
    const others = known.filter(({ purpose, valid_until }) => purpose !== 'reputation' || valid_until)
    expect(await keys()).to.deep.equal(others)
    await signAs(db, settings, 'receipts', { a: 1 })
    expect(await countForeignKeys(db, settings)).to.equal(4)
    expect(await rotate(['reputation']).catch(String)).to.include('SIGNING_KEY')
    const keysOfOwner = { ...settings, retiresForeign: true }
    await inTransaction(db, 'read write', (tx) => rotateKeys(tx, keysOfOwner, ['reputation']))
    await signAs(db, settings, 'reputation', { a: 1 })
    await byHand(sql`delete from market.signing_keys where kid in ('k1', 'k2', 'k3', 'k4')`)
    const { rows } = await sql<{ kid: string }>`
      select details->>'kid' as kid from market.audit_log where action = 'signing_key.publish'`.execute(db)
    expect(rows.map(({ kid }) => kid)).to.include.members((await keys()).map(({ kid }) => kid))
  })

  it('hold no seed once they are retired', async () => {
    const { db } = market.api
    await rotate()
    const retired = await db
      .selectFrom('market.signing_keys')
      .selectAll()
      .where('valid_until', 'is not', null)
      .execute()
    // A nonce and a tag.
    expect(new Set(retired.map(({ sealed }) => sealed.length))).to.deep.equal(new Set([28]))
  })

  it('are used by old and new processes alike while SIGNING_KEY is replaced', async () => {
    const { db, settings } = market.api
    const next = randomBytes(32).toString('hex')
    const before = { signingKey: settings.signingKey, otherSigningKeys: [next] }
    const after = { signingKey: next, otherSigningKeys: [settings.signingKey] }
    const known = await keys()
    for (const process of [before, after]) expect(await publishedKeys(db, process)).to.deep.equal(known)
    // What a new process seals, an old one opens.
    await inTransaction(db, 'read write', (tx) => rotateKeys(tx, after, ['receipts']))
    const [old, young] = await Promise.all([before, after].map((process) => signAs(db, process, 'receipts', { a: 1 })))
    expect(old).to.deep.equal(young)
    await inTransaction(db, 'read write', (tx) => rotateKeys(tx, before, []))
    expect(await publishedKeys(db, { signingKey: next })).to.deep.equal([])
    expect(await keys()).to.have.length(known.length + 1)
  })

  it('are sealed anew where SIGNING_KEY is replaced, and used with no other [risk signing-key backup]', async () => {
    const { db, settings, ...api } = market.api
    const former = await keys()
    const signingKey = randomBytes(32).toString('hex')
    const failed = (promise: Promise<unknown>) => promise.then(() => '', String)
    const withNew = { ...settings, signingKey }
    expect(await failed(publicConfig({ db, rpc: market.chain.client, settings: withNew }))).to.include('SIGNING_KEY')
    const rotateBy = (sealing: Parameters<typeof rotateKeys>[1]) =>
      inTransaction(db, 'read write', (tx) => rotateKeys(tx, sealing, SIGNING_PURPOSES))
    expect(await failed(rotateBy({ signingKey }))).to.include('SIGNING_KEY')
    expect(await keys()).to.deep.equal(former)
    await rotateBy({ signingKey, otherSigningKeys: [settings.signingKey] })
    const kids = (await publishedKeys(db, withNew)).map(({ kid }) => kid)
    expect(kids).to.include.members(former.map(({ kid }) => kid))
    expect(await keys()).to.deep.equal([])
    await rotateBy({ signingKey: settings.signingKey, otherSigningKeys: [signingKey] })
    expect((await api.send('GET', '/v1/config/public')).status).to.equal(200)
  })
})
