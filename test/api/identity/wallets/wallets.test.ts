import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { payoutWallet } from '../../../../api/identity/wallets/payoutWallet.ts'
import { sightWallets } from '../../../../api/payments/payouts/sightWallets.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { intentPayload } from '../../../../protocol/payments/intents.ts'
import { handoverTypedData } from '../../../../protocol/payments/walletHandover.ts'
import { type Account, firstHuman, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { deploySignerWallet } from '../../../kit/api/identity/wallets/signerWallet.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import { type Api, expectProblem, type Reply, startApi } from '../../../kit/api/platform/http/api.ts'
import { jobServices } from '../../../kit/api/trading/disputes/arbitration.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { startChain, type TestChain } from '../../../kit/chain/node.ts'
import { freeAccount } from '../../../kit/chain/payments.ts'
import { otherForms } from '../../../kit/chain/signatureForms.ts'

const DAY = 86_400

describe('a wallet', () => {
  let chain: TestChain
  let api: Api
  let ada: Account
  before(async () => {
    chain = await startChain()
    api = await startApi({ chain })
    ada = firstHuman(api)
  })
  after(async () => {
    await api.stop()
    await chain.stop()
  })

  const challenge = (by: Account, address: Address) =>
    api.send('POST', '/v1/me/wallets', { token: by.token, body: { address } })
  const verify = (by: Account, address: Address, signature: Hex) =>
    api.send('POST', '/v1/me/wallets/verify', { token: by.token, body: { address, signature } })
  const bind = async (by: Account, key: PrivateKeyAccount, address: Address = key.address): Promise<Reply> => {
    const { body } = await challenge(by, address)
    return verify(by, address, await key.signMessage({ message: body.challenge }))
  }

  it('is proven by an EIP-4361 message that names the chain, the site and the owner, and no end: it is the evidence for later payouts [spec 4:9 4.2:1]', async () => {
    const { address } = newKey()
    const { status, body } = await challenge(ada, address)
    expect(status).to.equal(201)
    const message = parseSiweMessage(body.challenge)
    expect(message).to.deep.include({ address, chainId: 31337, domain: 'localhost', resources: [ada.urn] })
    expect(message.expirationTime).to.equal(undefined)
    expect(Date.parse(body.expires_at) - Number(message.issuedAt)).to.equal(600_000)
  })

  it('of a key is bound by the key’s signature; the first is where the account is paid [spec 4:10 4.2:1]', async () => {
    const bob = await newHuman(api)
    const [first, second] = [newKey(), newKey()]
    const bound = await bind(bob, first)
    expect(bound.status).to.equal(200)
    expect(bound.body).to.deep.include({
      address: first.address,
      is_payout: true,
      account_urn: { prefix: 'human', body: bob.id },
    })
    expect((await bind(bob, second)).body).to.deep.include({ address: second.address, is_payout: false })
  })

  it('of a key is bound whatever form its wallet gives the signature, which is kept in the form that is checked without a node', async () => {
    const bob = await newHuman(api)
    for (const form of Object.keys(otherForms(`0x${'01'.repeat(64)}1b`))) {
      const key = newKey()
      const { body } = await challenge(bob, key.address)
      const plain = await key.signMessage({ message: body.challenge })
      expect((await verify(bob, key.address, otherForms(plain)[form] ?? '0x')).status, form).to.equal(200)
      const kept = api.db.selectFrom('market.wallets').select('signature')
      const rows = await kept.where('address', '=', key.address.toLowerCase()).execute()
      expect(rows, form).to.deep.equal([{ signature: plain }])
    }
  })

  it('of an agent is the agent’s own', async () => {
    const agent = await newAgent(api, ada)
    expect((await bind(agent, newKey())).body).to.deep.include({
      is_payout: true,
      account_urn: { prefix: 'agent', body: agent.id },
    })
  })

  it('that is a contract is bound when the contract says it signed (ERC-1271)', async () => {
    const key = freeAccount(0)
    const wallet = await deploySignerWallet(chain, key.address)
    expect((await bind(ada, newKey(), wallet)).status).to.equal(422)
    expect((await bind(ada, key, wallet)).body).to.include({ address: wallet })
  })

  it('is not bound by somebody else’s signature, and its challenge stays open [spec 4:10]', async () => {
    const key = newKey()
    const { body } = await challenge(ada, key.address)
    const stolen = await newKey().signMessage({ message: body.challenge })
    expectProblem(await verify(ada, key.address, stolen), 422, 'wallets/signature-invalid', 'signature')
    const other = await key.signMessage({ message: `${body.challenge} ` })
    expectProblem(await verify(ada, key.address, other), 422, 'wallets/signature-invalid', 'signature')
    const signature = await key.signMessage({ message: body.challenge })
    expect((await verify(ada, key.address, signature)).status).to.equal(200)
  })

  it('is bound by a challenge once, also by two requests at once', async () => {
    const key = newKey()
    const { body } = await challenge(ada, key.address)
    const signature = await key.signMessage({ message: body.challenge })
    // While the owner's row is held, both get past every check and wait.
    const replies = await api.db.transaction().execute(async (tx) => {
      await tx.selectFrom('market.humans').select('id').where('id', '=', ada.id).forUpdate().execute()
      const sent = [verify(ada, key.address, signature), verify(ada, key.address, signature)]
      await untilWaitingForLocks(api.db, sent.length)
      return sent
    })
    const statuses = await Promise.all(replies.map(async (reply) => (await reply).status))
    expect(statuses.sort()).to.deep.equal([200, 409])
    const other = await newKey().signMessage({ message: body.challenge })
    for (const given of [signature, other])
      expectProblem(await verify(ada, key.address, given), 409, 'wallets/challenge-invalid', 'address')
  })

  it('is not bound by a challenge that another took the place of, or that was another account’s', async () => {
    const key = newKey()
    const bob = await newHuman(api)
    const { body } = await challenge(ada, key.address)
    await challenge(bob, key.address)
    const signature = await key.signMessage({ message: body.challenge })
    expectProblem(await verify(bob, key.address, signature), 422, 'wallets/signature-invalid', 'signature')
    await challenge(ada, key.address)
    expectProblem(await verify(ada, key.address, signature), 422, 'wallets/signature-invalid', 'signature')
  })

  it('belongs to one owner, on whichever of their accounts', async () => {
    const key = newKey()
    expect((await bind(ada, key)).status).to.equal(200)
    expect((await bind(await newAgent(api, ada), key)).status).to.equal(200)
    const bob = await newHuman(api)
    expectProblem(await bind(bob, key), 409, 'wallets/already-bound', 'address')
    expectProblem(await bind(await newAgent(api, bob), key), 409, 'wallets/already-bound', 'address')
  })

  it('is the payout wallet alone, of two that are bound at once', async () => {
    const bob = await newHuman(api)
    const bound = await Promise.all([bind(bob, newKey()), bind(bob, newKey()), bind(bob, newKey())])
    expect(bound.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    expect(bound.filter(({ body }) => body.is_payout)).to.have.length(1)
  })

  describe('that an account is paid to', () => {
    const path = (wallet: Reply) => `/v1/me/wallets/${urnString('wallet', wallet.body.urn.body)}`
    const choose = (by: Account, wallet: Reply) => api.send('POST', `${path(wallet)}/payout`, { token: by.token })
    const remove = (by: Account, wallet: Reply) => api.send('DELETE', path(wallet), { token: by.token })
    const paidTo = async (agent: Account) =>
      (await api.db.transaction().execute((tx) => payoutWallet(tx, agent.id)))?.address
    const list = async (by: Account) =>
      (await api.send('GET', '/v1/me/wallets', { token: by.token })).body.wallets as {
        address: Address
        is_payout: boolean
        payout_from: string | null
      }[]
    const lower = ({ body }: Reply) => (body.address as string).toLowerCase()

    it('is replaced after two days, and the owner is told at once [risk withdraw-token]', async () => {
      const bob = await newHuman(api)
      const agent = await newAgent(api, bob)
      const [first, second] = [await bind(bob, newKey()), await bind(bob, newKey())]
      const chosen = await choose(bob, second)
      expect(chosen.status).to.equal(200)
      expect(chosen.body.is_payout).to.equal(false)
      const events = await api.db
        .selectFrom('market.events')
        .select(['payload', 'visible_to'])
        .where('event_type', '=', 'payout.wallet_chosen')
        .execute()
      expect(events).to.deep.equal([
        {
          payload: {
            wallet_urn: urnString('wallet', second.body.urn.body),
            account_urn: bob.urn,
            payout_from: chosen.body.payout_from,
          },
          visible_to: [bob.id],
        },
      ])
      await passTime(api, 2 * DAY - 60)
      expect(await paidTo(agent)).to.equal(lower(first))
      expect((await list(bob)).map(({ is_payout }) => is_payout)).to.deep.equal([false, true])
      await passTime(api, 60)
      expect(await paidTo(agent)).to.equal(lower(second))
      expect((await list(bob)).map(({ is_payout }) => is_payout)).to.deep.equal([true, false])
      expect((await list(bob))[1]?.payout_from).to.equal(null)
    })

    it('stays where the change is undone: by choosing it, or by removing the other', async () => {
      for (const undo of ['choose', 'remove']) {
        const bob = await newHuman(api)
        const agent = await newAgent(api, bob)
        const [first, second] = [await bind(bob, newKey()), await bind(bob, newKey())]
        await choose(bob, second)
        const undone = undo === 'choose' ? await choose(bob, first) : await remove(bob, second)
        expect(undone.status).to.equal(undo === 'choose' ? 200 : 204)
        await passTime(api, 2 * DAY)
        expect(await paidTo(agent)).to.equal(lower(first))
      }
    })

    it('is not removed to have the next one be the first, and is once it was replaced', async () => {
      const bob = await newHuman(api)
      const [first, second] = [await bind(bob, newKey()), await bind(bob, newKey())]
      expectProblem(await remove(bob, first), 409, 'wallets/paid-to')
      await choose(bob, second)
      expectProblem(await remove(bob, first), 409, 'wallets/paid-to')
      await passTime(api, 2 * DAY)
      expect((await remove(bob, first)).status).to.equal(204)
      expect((await list(bob)).map(({ address }) => address)).to.deep.equal([second.body.address])
    })

    it('is an agent’s owner’s, until its own takes the place of that', async () => {
      const bob = await newHuman(api)
      const agent = await newAgent(api, bob)
      const owners = await bind(bob, newKey())
      // A thief with the agent's token could have it paid to themselves otherwise.
      const own = await bind(agent, newKey())
      expect(own.body.is_payout).to.equal(false)
      expect(await paidTo(agent)).to.equal(lower(owners))
      await choose(agent, own)
      expect(await paidTo(agent)).to.equal(lower(owners))
      await passTime(api, 2 * DAY)
      expect(await paidTo(agent)).to.equal(lower(own))
    })

    it('is listed, chosen and removed by whose it is', async () => {
      const [bob, eve] = [await newHuman(api), await newHuman(api)]
      const agent = await newAgent(api, bob)
      const [own, agents, spare] = [await bind(bob, newKey()), await bind(agent, newKey()), await bind(bob, newKey())]
      const addresses = async (by: Account) => (await list(by)).map(({ address }) => address)
      expect(await addresses(bob)).to.deep.equal([spare, agents, own].map(({ body }) => body.address))
      expect(await addresses(agent)).to.deep.equal([agents.body.address])
      expect(await addresses(eve)).to.deep.equal([])
      for (const by of [eve, agent]) {
        expectProblem(await choose(by, spare), 404, 'resource/not-found')
        expectProblem(await remove(by, spare), 404, 'resource/not-found')
      }
    })
  })

  it('is not bound by a challenge ten minutes old', async () => {
    const key = newKey()
    const { body } = await challenge(ada, key.address)
    const signature = await key.signMessage({ message: body.challenge })
    await api.send('POST', '/sandbox/clock/advance', { token: ada.token, body: { seconds: 600 } })
    const other = await newKey().signMessage({ message: body.challenge })
    for (const given of [signature, other])
      expectProblem(await verify(ada, key.address, given), 409, 'wallets/challenge-invalid', 'address')
  })

  it('is not bound by a challenge that expires while its answer waits', async () => {
    const key = newKey()
    const { body } = await challenge(ada, key.address)
    const signature = await key.signMessage({ message: body.challenge })
    const { reply } = await api.db.transaction().execute(async (tx) => {
      await tx.selectFrom('market.humans').select('id').where('id', '=', ada.id).forUpdate().execute()
      const sent = verify(ada, key.address, signature)
      await untilWaitingForLocks(api.db, 1)
      await passTime(api, 600)
      return { reply: sent }
    })
    expectProblem(await reply, 409, 'wallets/challenge-invalid', 'address')
  })

  for (const [name, address] of [
    ['a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5aA', '5AA')],
    ['too few digits', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA'],
    ['no digits', 'vitalik.eth'],
  ] as const) {
    it(`is not asked for with ${name}`, async () => {
      expectProblem(await challenge(ada, address as Address), 400, 'request/invalid', 'address')
    })
  }

  it('is handed over by an earlier one of its owner, if both sign, which the facilitator is asked to record', async () => {
    const bob = await newHuman(api)
    const [first, second, stranger] = [newKey(), newKey(), newKey()]
    await bind(bob, first)
    const { body: wallet } = await bind(bob, second)
    await sightWallets(jobServices(api))
    const asked = async () => {
      const rows = api.db.selectFrom('market.intents').selectAll().where('kind', '=', 'sight_wallet').orderBy('id')
      const payloads = (await rows.execute()).map(({ payload }) => intentPayload.parse(payload))
      return payloads.filter((payload) => payload.kind === 'sight_wallet' && payload.ownerId === bob.id)
    }
    // Only a wallet that is paid is recorded: the second was merely proven.
    expect(await asked())
      .to.containSubset([{ wallet: first.address }])
      .and.have.length(1)
    const sign = (from: PrivateKeyAccount, to = second) => {
      const named = { chainId: 31337, site: 'localhost', owner: urnString('human', bob.id) }
      return to.signTypedData(handoverTypedData({ ...named, from: from.address, to: second.address }))
    }
    const send = async (from: PrivateKeyAccount, earlier: Hex, later: Hex) => {
      const body = { from: from.address, signatures: { earlier, new: later } }
      return api.send('POST', `/v1/me/wallets/market:wallet:${wallet.urn.body}/handover`, { token: bob.token, body })
    }
    expectProblem(await send(first, await sign(first), await sign(first)), 422, 'wallets/signature-invalid', 'earlier')
    expectProblem(await send(first, await sign(first, first), '0x01'), 422, 'wallets/signature-invalid', 'new')
    const foreign = await send(stranger, await sign(stranger, stranger), await sign(stranger))
    expectProblem(foreign, 422, 'wallets/signature-invalid', 'from')
    expect((await send(first, await sign(first, first), await sign(first))).status).to.equal(200)
    const choice = `/v1/me/wallets/market:wallet:${wallet.urn.body}/payout`
    expect((await api.send('POST', choice, { token: bob.token })).status).to.equal(200)
    await sightWallets(jobServices(api))
    await sightWallets(jobServices(api))
    const handover = { from: first.address }
    expect(await asked())
      .to.containSubset([{ wallet: second.address, handover }])
      .and.have.length(2)
  })

  it('that is paid until another one takes effect is recorded, and the other one as well', async () => {
    const bob = await newHuman(api)
    const [present, next] = [newKey(), newKey()]
    await bind(bob, present)
    const { body: wallet } = await bind(bob, next)
    const choice = `/v1/me/wallets/market:wallet:${wallet.urn.body}/payout`
    expect((await api.send('POST', choice, { token: bob.token })).status).to.equal(200)
    await sightWallets(jobServices(api))
    const { rows } = await sql<{ wallet: string }>`select payload->>'wallet' as wallet from market.intents
      where kind = 'sight_wallet' and payload->>'ownerId' = ${bob.id} order by id`.execute(api.db)
    expect(rows.map(({ wallet }) => wallet)).to.deep.equal([present.address, next.address])
  })

  it('that the facilitator cannot tell from a thief’s is reported to its owner, once', async () => {
    const bob = await newHuman(api)
    await bind(bob, newKey())
    await sightWallets(jobServices(api))
    const { id } = await api.db
      .selectFrom('market.intents')
      .select('id')
      .where(sql<boolean>`payload->>'ownerId' = ${bob.id}`)
      .executeTakeFirstOrThrow()
    await sql`insert into facilitator.outcomes (intent_id, status, reason) values (${id}, 'refused', 'wallets_disputed')`.execute(
      api.db,
    )
    await sightWallets(jobServices(api))
    await sightWallets(jobServices(api))
    const told = api.db.selectFrom('market.events').select(['payload', 'visible_to'])
    const rows = await told.where('event_type', '=', 'payout.wallet_unproved').execute()
    const [event, ...others] = rows.filter(({ visible_to }) => visible_to.includes(bob.id))
    expect([event?.payload.reason, others.length]).to.deep.equal(['wallets_disputed', 0])
  })
})

function newKey(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey())
}
