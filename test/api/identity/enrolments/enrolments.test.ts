import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import {
  authenticatorFor,
  type Browser,
  newBrowser,
  type SignedUp,
  signIn,
  signUp,
} from '../../../kit/api/identity/passkeys/browser.ts'
import { type Api, expectProblem, type Reply, startApi } from '../../../kit/api/platform/http/api.ts'

const NOBODY = urnString('human', '01890000-0000-7000-8000-000000000000')

// Outside a sandbox: there nobody is let in by a token that somebody else minted.
describe('an enrolment', () => {
  let api: Api
  let operator: SignedUp
  let ada: SignedUp
  before(async () => {
    api = await startApi({ sandbox: false })
    operator = await signUp(api)
    await sql`update market.humans set role = 'operator' where id = ${operator.id}`.execute(api.db)
    ada = await signUp(api)
  })
  after(() => api.stop())

  const create = async (by: SignedUp) => {
    const body = { display_name: 'Grace', email: 'grace@example.com' }
    const reply = await by.browser.send('POST', '/v1/accounts/humans', { body })
    expect(reply.status).to.equal(201)
    return urnString('human', reply.body.urn.body)
  }
  const issue = (by: SignedUp, urn: string) => by.browser.send('POST', `/v1/accounts/humans/${urn}/enrolments`)
  const ticketOf = ({ status, body }: Reply) => {
    expect(status, JSON.stringify(body)).to.equal(201)
    return String(body.enrolment)
  }
  const made = async (enrolment: string, browser = newBrowser(api), passkey = authenticatorFor(api)) => {
    const credential = passkey.create(await browser.options('enrolment', { enrolment }))
    return { browser, passkey, body: { enrolment, credential, name: 'Key' } }
  }
  const verify = async ({ browser, passkey, body }: Awaited<ReturnType<typeof made>>) => {
    return { browser, passkey, reply: await browser.send('POST', '/v1/me/passkeys/enrolment/verify', { body }) }
  }
  const enrol = async (enrolment: string) => verify(await made(enrolment))
  const refused = async (enrolment: string, browser: Browser = newBrowser(api)) =>
    expectProblem(
      await browser.send('POST', '/v1/me/passkeys/enrolment/options', { body: { enrolment } }),
      401,
      'auth/ticket-invalid',
      'enrolment',
    )
  /** As when a signature counter went back. */
  const flag = async ({ browser, passkey }: Pick<SignedUp, 'browser' | 'passkey'>) => {
    for (const counter of [50, 50])
      await browser.verify('assertion', passkey.get(await browser.options('assertion'), { counter }))
  }

  /** What a session can begin that outlives it: an agent's token and ticket, and another payout wallet. */
  const begunBy = async ({ browser }: Pick<SignedUp, 'browser'>) => {
    const owner_urn = (await browser.send('GET', '/v1/me')).body.urn
    const made = await browser.send('POST', '/v1/accounts/agents', { body: { owner_urn, display_name: 'Scout' } })
    const agent = made.body.urn
    const minted = await browser.send('POST', '/v1/me/tokens', { body: { owner_urn: agent, scopes: ['read'] } })
    expect(minted.status).to.equal(201)
    const tickets = `/v1/me/agents/${urnString('agent', agent.body)}/tickets`
    const { body } = await browser.send('POST', tickets, { body: { scopes: ['read'] } })
    const paid = await addWallet(owner_urn.body, 'cd', sql`market.now()`)
    const wallet = await addWallet(owner_urn.body, 'ab', sql`market.now() + interval '2 days'`)
    return { agent, ticket: String(body.ticket), wallet, paid }
  }
  // No chain is there to verify a signature at.
  const addWallet = async (owner: string, digits: string, payoutFrom: RawBuilder<unknown>) => {
    const [id, address] = [uuidv7(), `0x${digits.repeat(20)}`]
    await sql`insert into market.wallet_owners (address, owner_id) values (${address}, ${owner})`.execute(api.db)
    await sql`insert into market.wallets (id, owner_id, account_id, address, message, signature, payout_from)
      values (${id}, ${owner}, ${owner}, ${address}, '', '', ${payoutFrom})`.execute(api.db)
    return { prefix: 'wallet', body: id }
  }

  it('of an operator, or of who created a human, lets that human make their first passkey', async () => {
    for (const maker of [operator, ada]) {
      const urn = await create(maker)
      const { browser, passkey, reply } = await enrol(ticketOf(await issue(maker, urn)))
      expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
      expect(urnString('human', (reply.body.human_urn as { body: string }).body)).to.equal(urn)
      const me = await browser.send('GET', '/v1/me')
      expect([me.status, me.body.display_name]).to.deep.equal([200, 'Grace'])
      expect((await signIn(newBrowser(api), passkey)).status).to.equal(200)
      expectProblem(await issue(operator, urn), 409, 'enrolments/not-needed')
      if (maker === ada) expectProblem(await issue(ada, urn), 404, 'resource/not-found')
    }
  })

  it('is good once, until a newer one, and for as long as a ticket', async () => {
    const urn = await create(operator)
    const [first, second] = [ticketOf(await issue(operator, urn)), ticketOf(await issue(operator, urn))]
    await refused(first)
    const both = [await made(second), await made(second)]
    const answers = await Promise.all(both.map(verify))
    const statuses = answers.map(({ reply }) => reply.status).sort()
    expect(statuses).to.deep.equal([201, 401])
    await refused(second)
    // The link does not let anybody in again when its passkey is lost.
    for (const { reply, ...winner } of answers) if (reply.status === 201) await flag(winner)
    await refused(second)
    const late = ticketOf(await issue(operator, await create(operator)))
    await sql`update market.enrolments set expires_at = market.now() where closed_at is null`.execute(api.db)
    await refused(late)
    await refused('market_enrolment_made-up')
  })

  it('is for one human: what was made by another’s is not taken with it', async () => {
    const [mine, theirs] = [await create(operator), await create(operator)]
    const [own, other] = [ticketOf(await issue(operator, mine)), ticketOf(await issue(operator, theirs))]
    const mixed = await made(own)
    const { reply } = await verify({ ...mixed, body: { ...mixed.body, enrolment: other } })
    expectProblem(reply, 401, 'auth/ticket-invalid', 'enrolment')
    expect((await enrol(own)).reply.status).to.equal(201)
    expect((await enrol(other)).reply.status).to.equal(201)
  })

  it('lets in again whom a flagged passkey shut out, ends what a thief may have begun, and is in the audit log', async () => {
    const lost = await signUp(api)
    expectProblem(await issue(operator, lost.urn), 409, 'enrolments/not-needed')
    await flag(lost)
    expectProblem(await issue(ada, lost.urn), 404, 'resource/not-found')
    const enrolment = ticketOf(await issue(operator, lost.urn))
    const left = await signUp(api)
    await sql`update market.sessions set human_id = ${lost.id} where human_id = ${left.id}`.execute(api.db)
    expect((await left.browser.send('GET', '/v1/me')).status).to.equal(200)
    const { agent, ticket, wallet, paid } = await begunBy(left)
    // What had ended before is not counted: a session that was logged out, and a token that expired.
    const loggedOut = await signUp(api)
    await loggedOut.browser.send('POST', '/v1/me/sessions/log_out')
    await sql`update market.sessions set human_id = ${lost.id} where human_id = ${loggedOut.id}`.execute(api.db)
    const minted = await left.browser.send('POST', '/v1/me/tokens', { body: { owner_urn: agent, scopes: ['read'] } })
    await sql`update market.tokens set expires_at = market.now() where id = ${minted.body.urn.body}`.execute(api.db)
    // Options do not keep the device from making another passkey in place of the one that is good for
    // nothing.
    const browser = newBrowser(api)
    const options = await browser.options('enrolment', { enrolment })
    expect((options as unknown as { excludeCredentials: unknown[] }).excludeCredentials).to.deep.equal([])
    const { reply, browser: again } = await enrol(enrolment)
    expect(reply.status).to.equal(201)
    expect((await again.send('GET', '/v1/me')).body.urn).to.deep.equal({ prefix: 'human', body: lost.id })
    expectProblem(await left.browser.send('GET', '/v1/me'), 401, 'auth/unauthenticated')
    const exchanged = await api.send('POST', '/v1/tickets/exchange', { body: { ticket } })
    expectProblem(exchanged, 401, 'auth/ticket-invalid', 'ticket')
    expect((await again.send('GET', '/v1/me/wallets')).body.wallets).to.containSubset([
      { urn: wallet, payout_from: null, is_payout: false },
      { urn: paid, is_payout: true },
    ])
    expect(reply.body.live_tokens).to.equal(1)
    expect((await again.send('GET', '/v1/me/tokens')).body.tokens).to.containSubset([{ owner_urn: agent }])
    const entries = api.db
      .selectFrom('market.audit_log')
      .select(['actor', 'action', 'subject'])
      .where('action', '=', 'enrolment.issue')
      .where('subject', '=', lost.urn)
    expect(await entries.execute()).to.deep.equal([
      { actor: operator.urn, action: 'enrolment.issue', subject: lost.urn },
    ])
    const recovered = api.db.selectFrom('market.audit_log').select(['actor', 'details'])
    const told = recovered.where('action', '=', 'account.recover').where('subject', '=', lost.urn)
    expect(await told.execute()).to.deep.equal([
      { actor: lost.urn, details: { sessions: 1, tickets: 1, wallet_changes: 1, live_tokens: 1 } },
    ])
  })

  it('makes nobody an operator, and is no token’s to give', async () => {
    const other = await signUp(api)
    await sql`update market.humans set role = 'operator' where id = ${other.id}`.execute(api.db)
    await flag(other)
    expectProblem(await issue(operator, other.urn), 403, 'auth/forbidden')
    expectProblem(await issue(operator, NOBODY), 404, 'resource/not-found')
    const path = `/v1/accounts/humans/${await create(operator)}/enrolments`
    const token = api.first.operator_token
    expectProblem(await api.send('POST', path, { token }), 403, 're_auth_required')
  })

  it('is kept as a hash, and goes with the human', async () => {
    const urn = await create(operator)
    const enrolment = ticketOf(await issue(operator, urn))
    const { rows } = await sql<{ text: string }>`select row::text as text from market.enrolments row`.execute(api.db)
    expect(rows.map(({ text }) => text).join()).not.to.include(enrolment.slice('market_enrolment_'.length))
    await sql`update market.humans set erased_at = market.now() where ${urn} = 'market:human:' || id`.execute(api.db)
    await refused(enrolment)
    expectProblem(await issue(operator, urn), 404, 'resource/not-found')
  })
})
