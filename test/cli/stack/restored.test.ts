import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Address, createPublicClient, http } from 'viem'
import { choosePayoutWallet } from '../../../api/identity/wallets/internal/choosePayoutWallet.ts'
import { verifyWallet } from '../../../api/identity/wallets/internal/verifyWallet.ts'
import { processedBlock } from '../../../api/payments/chain/progress.ts'
import { submitPayouts } from '../../../api/payments/payouts/submitPending.ts'
import { readHead } from '../../../api/platform/audit/head.ts'
import { listAuditEntries } from '../../../api/platform/audit/internal/list.ts'
import { sealAuditLog } from '../../../api/platform/audit/seal.ts'
import type { JobServices } from '../../../api/platform/jobs/services.ts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { parseUrn } from '../../../protocol/encoding/urn.ts'
import { fileDueErasure } from '../../kit/api/identity/erasure.ts'
import { paymentEvent } from '../../kit/api/payments/escrow/chainEvents.ts'
import { balance, intentsAbout, payoutsOf } from '../../kit/api/payments/escrow/read.ts'
import { release } from '../../kit/api/payments/escrow/release.ts'
import {
  newAddress,
  newTrade,
  PRICE,
  setState,
  startWorld,
  type Trade,
  type World,
} from '../../kit/api/payments/escrow/world.ts'
import { type Api, expectProblem, startApi } from '../../kit/api/platform/http/api.ts'
import { knowChain } from '../../kit/stack/fence.ts'

async function restored(databaseUrl: string): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl }
  return (await promisify(execFile)(process.execPath, [`${ROOT}cli/main.ts`, 'restored'], { env })).stdout
}

describe('./market restored', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })

  after(() => api?.stop())

  const wallet = async (humanId: string, payoutFrom: Date) => {
    const address = newAddress()
    await api.db.insertInto('market.wallet_owners').values({ address, owner_id: humanId }).execute()
    const proof = { message: 'I am', signature: '0x01' }
    const row = { id: randomUUID(), account_id: humanId, owner_id: humanId, address, payout_from: payoutFrom, ...proof }
    await api.db.insertInto('market.wallets').values(row).execute()
  }

  /** What an earlier copy would have good again: a session, a ticket, and ceremonies that had begun. */
  const usable = async (humanId: string) => {
    const [agent, passkey, soon] = [randomUUID(), randomUUID(), new Date(Date.now() + 60_000)]
    await sql`insert into market.agents (id, owner_id, display_name, description) values (${agent}, ${humanId}, '', '')`.execute(
      api.db,
    )
    await sql`insert into market.passkeys (id, human_id, credential_id, public_key, counter, transports, name, is_backed_up)
      values (${passkey}, ${humanId}, '', '', 0, '{}', '', false)`.execute(api.db)
    await sql`insert into market.sessions (id, human_id, passkey_id, secret_hash, expires_at)
      values (${randomUUID()}, ${humanId}, ${passkey}, ${Buffer.alloc(32, 2)}, ${soon})`.execute(api.db)
    await sql`insert into market.agent_tickets (id, agent_id, human_id, secret_hash, scopes, expires_at)
      values (${randomUUID()}, ${agent}, ${humanId}, ${Buffer.alloc(32, 3)}, '{read}', ${soon})`.execute(api.db)
    await sql`insert into market.passkey_challenges (challenge, purpose, expires_at)
      values (${Buffer.alloc(32, 4)}, 'sign_in', ${soon})`.execute(api.db)
    await sql`insert into market.wallet_challenges (id, account_id, owner_id, address, message, expires_at)
      values (${randomUUID()}, ${humanId}, ${humanId}, ${newAddress()}, '', ${soon})`.execute(api.db)
  }

  it('ends whatever an earlier copy would let be used again, and moves no money before the chain was read [risk backup]', async () => {
    const { human_token: token, human_urn } = api.first
    const humanId = parseUrn('human', human_urn) ?? ''
    const secret = { secret_hash: Buffer.alloc(32, 1), expires_at: new Date(Date.now() + 60_000) }
    const enrolment = { id: randomUUID(), human_id: humanId, issued_by: humanId, ...secret }
    await api.db.insertInto('market.enrolments').values(enrolment).execute()
    await usable(humanId)
    await wallet(humanId, new Date(0))
    await wallet(humanId, new Date(Date.now() + 60_000))
    expect((await api.send('GET', '/v1/me', { token })).status).to.equal(200)
    await fileDueErasure(api.db, humanId)
    const rpc = createPublicClient({ transport: http('http://127.0.0.1:1') })
    const services = { db: api.workerDb, settings: api.settings, rpc, log: pino({ level: 'silent' }) }
    await sealAuditLog(services)
    const { document } = await readHead(api.db, api.settings)
    const stdout = await restored(api.databaseUrl)
    expect(stdout)
      .to.match(/^5 tokens ended$/m)
      .and.match(/^1 enrolments ended$/m)
      .and.match(/^1 sessions ended$/m)
      .and.match(/^1 tickets of agents ended$/m)
      .and.match(/^1 open passkey ceremonies ended$/m)
      .and.match(/^1 open challenges of wallets ended$/m)
      .and.match(/^1 changes of payout/m)
      .and.match(/^1 payout wallets to be confirmed$/m)
      .and.match(/^1 people to be notified again that they will be erased$/m)
    expectProblem(await api.send('GET', '/v1/me', { token }), 401, 'auth/unauthenticated')
    const left = await sql`
      select 'session' from market.sessions where revoked_at is null
      union all select 'enrolment' from market.enrolments where closed_at is null
      union all select 'ticket' from market.agent_tickets where closed_at is null
      union all select 'ceremony' from market.passkey_challenges
      union all select 'challenge' from market.wallet_challenges where used_at is null
      union all select 'erasure' from market.erasure_requests where told_at is not null`.execute(api.db)
    expect(left.rows).to.deep.equal([])
    expect(await processedBlock(api.db)).to.equal(undefined)
    // Whoever has a head that was signed since the copy reads in the log why it does not lead there.
    await sealAuditLog(services)
    const entries = await api.db
      .transaction()
      .execute((tx) => listAuditEntries(tx, randomUUID(), { after: document.position, own: false, limit: 500 }))
    const { position, hash } = document
    const said = { actor: 'service', action: 'database.restore', subject: 'service', details: { position, hash } }
    const entry = entries.find(({ content }) => content?.action === said.action)
    expect(entry?.content).to.deep.include(said)
    const { rows } = await sql<{ paid_to: boolean }>`
      select payout_from is not null as paid_to from market.wallets order by payout_from nulls last`.execute(api.db)
    expect(rows.map(({ paid_to }) => paid_to)).to.deep.equal([true, false])
  })
})

describe('payouts after ./market restored', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    const rpc = createPublicClient({ transport: http('http://127.0.0.1:1') })
    services = { db: world.serviceDb, rpc, settings: world.settings, log: pino({ level: 'silent' }) }
  })

  after(() => world?.stop())

  /** An order that was accepted: its seller is owed a payout. */
  const accepted = async () => {
    const trade = await newTrade(world, 'custodied')
    await world.settle(paymentEvent(trade))
    await setState(world, trade, 'accepted')
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
    return trade
  }
  const stateOf = async ({ payer }: Trade) =>
    (await payoutsOf(world, payer)).map(({ state, attempt }) => [state, attempt])
  const openTo = async ({ orderId }: Trade) =>
    (await intentsAbout(world, orderId)).filter(({ closing }) => closing === null).map(({ payload }) => payload.to)
  const walletOf = ({ seller }: Trade) =>
    world.db.selectFrom('market.wallets').selectAll().where('account_id', '=', seller.agentId).executeTakeFirstOrThrow()
  /** The wallet has signed a challenge. */
  const verify = async ({ seller }: Trade, address: string) => {
    const challenge = { id: randomUUID(), message: 'I am, again' }
    const row = { ...challenge, account_id: seller.agentId, owner_id: seller.humanId, address }
    const expires_at = new Date(Date.now() + 60_000)
    await world.db
      .insertInto('market.wallet_challenges')
      .values({ ...row, expires_at })
      .execute()
    const signed = { ...challenge, signature: '0x02' } as const
    return world.run((tx) => verifyWallet(tx, seller.call, address as Address, signed))
  }

  it('wait for their wallet to sign again, those asked for too, and go then; refunds go on [risk backup]', async () => {
    const [asked, pending, cancelled] = [await accepted(), await accepted(), await newTrade(world, 'custodied')]
    await submitPayouts(services)
    const late = await accepted()
    await world.settle(paymentEvent(cancelled))
    await setState(world, cancelled, 'cancelled')
    const whole = { refundMicros: PRICE }
    await world.run((tx) => release(tx, world.settings, cancelled.orderId, whole))
    expect(await openTo(asked)).to.deep.equal([(await walletOf(asked)).address])
    await restored(world.databaseUrl)
    expect(await openTo(asked)).to.deep.equal([])
    await knowChain(world.db)
    await submitPayouts(services)
    await submitPayouts(services)
    for (const [trade, attempt] of [
      [asked, 2],
      [pending, 2],
      [late, 1],
    ] as const) {
      expect(await stateOf(trade)).to.deep.equal([['blocked', attempt]])
      expect(await balance(world, 'payable', `market:human:${trade.seller.humanId}`)).to.equal(19_000_000n)
    }
    expect(await stateOf(cancelled)).to.deep.equal([['submitted', 1]])
    const { address } = await walletOf(asked)
    await verify(asked, address)
    await submitPayouts(services)
    expect(await stateOf(asked)).to.deep.equal([['submitted', 2]])
    expect(await openTo(asked)).to.deep.equal([address])
    expect(await stateOf(pending)).to.deep.equal([['blocked', 2]])
  })

  it('go to another wallet only when it was chosen, and its time has come', async () => {
    const trade = await accepted()
    await restored(world.databaseUrl)
    await knowChain(world.db)
    const other = newAddress()
    const { urn } = await verify(trade, other)
    await submitPayouts(services)
    expect(await stateOf(trade)).to.deep.equal([['blocked', 1]])
    await world.run((tx) => choosePayoutWallet(tx, trade.seller.call, urn.body))
    await submitPayouts(services)
    expect(await stateOf(trade)).to.deep.equal([['blocked', 1]])
    await sql`update sandbox.clock set shift = shift + interval '49 hours'`.execute(world.db)
    await submitPayouts(services)
    expect(await openTo(trade)).to.deep.equal([other])
  })
})
