import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import pg from 'pg'
import pino from 'pino'
import { type Address, keccak256, stringToHex, zeroAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { ROOT } from '../../cli/machine/paths.ts'
import { createExclusive } from '../../facilitator/context/exclusive.ts'
import type { Pass } from '../../facilitator/evidence/pass.ts'
import { openSession, type Session } from '../../facilitator/file/session.ts'
import { createStore } from '../../facilitator/file/store.ts'
import { decideSightWallet } from '../../facilitator/intents/internal/sightWallet.ts'
import { isKnownWallet } from '../../facilitator/proof/knownWallets.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import type { IntentOf } from '../../protocol/payments/intents.ts'
import { handoverTypedData, type WalletHandover } from '../../protocol/payments/walletHandover.ts'
import { freeAccount } from '../kit/chain/payments.ts'
import { startDatabase, type TestDatabase } from '../kit/stack/database.ts'

const DELAY_SECONDS = 3_600n
const BEGIN = 1_900_000_000n
const CHAIN_ID = 31_337
const SITE = 'market.example'

type Sight = IntentOf<'sight_wallet'>

describe('the wallets that count as an owner’s', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let role: pg.Client
  let session: Session
  const lines: string[] = []
  const [hotWallet, first, second, thief] = [freeAccount(0), freeAccount(1), freeAccount(2), freeAccount(3)]

  before(async () => {
    database = await startDatabase()
    role = new pg.Client(database.roleUrls.facilitator)
    await role.connect()
    const keys = { keys: [hotWallet.address], holder: randomUUID(), leaseMs: 60_000 }
    const events = { onWait: () => {}, isSandbox: true, warn: () => {} }
    const place = { url: database.roleUrls.facilitator, pooler: 'none' } as const
    session = await openSession(place, keys, AbortSignal.timeout(30_000), events)
  })
  after(async () => {
    await session?.close()
    await role?.end()
    await database?.stop()
  })

  const passAt = (seconds: bigint) => {
    const at = {
      chainId: CHAIN_ID,
      startBlock: 0n,
      escrow: zeroAddress,
      token: zeroAddress,
      hotWallet: hotWallet.address,
    }
    const log = pino({}, { write: (line) => lines.push(line) })
    const time = BEGIN + seconds
    const block = { number: 1n, hash: '0x', timestamp: time, baseFeePerGas: 0n }
    return {
      ...{ at, log, hotWallet, store: createStore(session, { at, log }), exclusive: createExclusive() },
      ...{ domainName: SITE, walletFactories: [], limits: { releaseDelaySeconds: DELAY_SECONDS } },
      ...{ head: { latest: block, confirmed: block, laterTime: time, earlierTime: time, isBehind: false } },
      ...{ client: { getCode: async () => undefined } },
    } as unknown as Pass
  }
  const sightOf = async (ownerId: string, wallet: PrivateKeyAccount, to = ownerId): Promise<Sight> => {
    const message = createSiweMessage({
      ...{ address: wallet.address, chainId: CHAIN_ID, domain: SITE, uri: `https://${SITE}`, version: '1' },
      ...{ nonce: 'abcdefgh12', issuedAt: new Date(0), resources: [urnString('human', to)] },
    })
    const binding = { message, signature: await wallet.signMessage({ message }) }
    return { kind: 'sight_wallet', ownerId, wallet: wallet.address, binding }
  }
  const handedOver = async (
    sight: Sight,
    from: PrivateKeyAccount,
    to: PrivateKeyAccount,
    changes: Partial<WalletHandover> = {},
    signers = [from, to] as const,
  ): Promise<Sight> => {
    const owner = urnString('human', sight.ownerId)
    const named = { chainId: CHAIN_ID, site: SITE, owner, from: from.address, to: to.address, ...changes }
    const [earlier, later] = await Promise.all(signers.map((by) => by.signTypedData(handoverTypedData(named))))
    return { ...sight, handover: { from: from.address, signatures: { earlier: earlier ?? '0x', new: later ?? '0x' } } }
  }
  const see = async (sight: Sight, seconds = 0n) => {
    const ending = await decideSightWallet(passAt(seconds), sight)
    return ending.kind === 'wait' ? ending.reason : (ending.outcome.reason ?? ending.outcome.status)
  }
  const knows = (ownerId: string, { address }: { address: Address }, seconds: bigint) =>
    isKnownWallet(passAt(seconds), ownerId, address)
  const alarms = () => lines.filter((line) => line.includes('two wallets without a hand-over')).length

  it('count from the delay after their first sight, for nobody but their owner', async () => {
    const owner = randomUUID()
    expect(await see(await sightOf(owner, first))).to.equal('confirmed')
    expect(await knows(owner, first, DELAY_SECONDS - 1n)).to.equal(false)
    expect(await knows(owner, first, DELAY_SECONDS)).to.equal(true)
    expect(await knows(randomUUID(), first, DELAY_SECONDS)).to.equal(false)
    expect(await knows(owner, second, DELAY_SECONDS)).to.equal(false)
    // A later sight changes nothing.
    expect(await see(await sightOf(owner, first), DELAY_SECONDS)).to.equal('confirmed')
    expect(await knows(owner, first, DELAY_SECONDS)).to.equal(true)
  })

  it('are not recorded without the wallet’s own signature for this owner', async () => {
    const [owner, other] = [randomUUID(), randomUUID()]
    expect(await see(await sightOf(owner, thief, other))).to.equal('binding_invalid')
    const { binding } = await sightOf(owner, thief)
    expect(await see({ ...(await sightOf(owner, first)), binding })).to.equal('binding_invalid')
    expect(await knows(owner, thief, DELAY_SECONDS)).to.equal(false)
  })

  it('are none of two without a hand-over, whichever came first, with one alarm [risk market-api]', async () => {
    const [victim, late] = [randomUUID(), randomUUID()]
    const before = alarms()
    await see(await sightOf(victim, first))
    expect(await see(await sightOf(victim, thief), 10n)).to.equal('wallets_disputed')
    expect(await see(await sightOf(victim, thief), 20n)).to.equal('wallets_disputed')
    await see(await sightOf(late, thief))
    expect(await see(await sightOf(late, first), 10n)).to.equal('wallets_disputed')
    for (const owner of [victim, late])
      for (const wallet of [first, thief]) expect(await knows(owner, wallet, 2n * DELAY_SECONDS)).to.equal(false)
    expect(alarms() - before).to.equal(2)
  })

  it('are all that hand-overs connect with the first, each after its own delay', async () => {
    const owner = randomUUID()
    await see(await sightOf(owner, first))
    expect(await see(await sightOf(owner, second), 10n)).to.equal('wallets_disputed')
    expect(await see(await handedOver(await sightOf(owner, second), first, second), 20n)).to.equal('confirmed')
    expect(await see(await handedOver(await sightOf(owner, thief), second, thief), 30n)).to.equal('confirmed')
    const known = async (seconds: bigint) =>
      Promise.all([first, second, thief].map((wallet) => knows(owner, wallet, seconds)))
    expect(await known(DELAY_SECONDS)).to.deep.equal([true, false, false])
    expect(await known(DELAY_SECONDS + 10n)).to.deep.equal([true, true, false])
    expect(await known(DELAY_SECONDS + 30n)).to.deep.equal([true, true, true])
  })

  it('are handed over by no message that says anything else, or that one of the two did not sign', async () => {
    const owner = randomUUID()
    const sight = await sightOf(owner, second)
    await see(await sightOf(owner, first))
    const falsehoods = [
      await handedOver(sight, first, second, { chainId: 1 }),
      await handedOver(sight, first, second, { site: 'other.example' }),
      await handedOver(sight, first, second, { owner: urnString('human', randomUUID()) }),
      await handedOver(sight, first, second, { from: thief.address }),
      await handedOver(sight, first, second, { to: thief.address }),
      await handedOver(sight, first, second, {}, [second, second]),
      await handedOver(sight, first, second, {}, [first, first]),
    ]
    for (const one of falsehoods) expect(await see(one)).to.equal('handover_invalid')
    expect(await see(await handedOver(sight, thief, second))).to.equal('earlier_wallet_unseen')
    expect(await knows(owner, second, DELAY_SECONDS)).to.equal(false)
    expect(await knows(owner, first, DELAY_SECONDS)).to.equal(true)
  })

  it('are at most eight', async () => {
    const owner = randomUUID()
    const endings: string[] = []
    for (let number = 4; number < 13; number++) endings.push(await see(await sightOf(owner, freeAccount(number))))
    expect(endings).to.deep.equal(['confirmed', ...Array(7).fill('wallets_disputed'), 'too_many_wallets'])
  })

  it('are those that remain when the database’s owner has rejected a false one', async () => {
    const owner = randomUUID()
    await see(await sightOf(owner, thief))
    await see(await sightOf(owner, first))
    const rejection = `insert into facilitator.rejected_wallets (owner_id, wallet) values ('${owner}', '${thief.address.toLowerCase()}')`
    expect(await role.query(rejection).catch(({ code }) => code)).to.equal('42501')
    const command = [`${ROOT}cli/main.ts`, 'wallets', 'reject', urnString('human', owner), thief.address]
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url }
    expect(await knows(owner, first, DELAY_SECONDS)).to.equal(false)
    for (const _twice of [1, 2]) {
      const { stdout } = await promisify(execFile)(process.execPath, command, { env })
      expect(stdout).to.equal(`${thief.address} counts for ${urnString('human', owner)} no longer.\n`)
    }
    expect(await knows(owner, first, DELAY_SECONDS)).to.equal(true)
    expect(await knows(owner, thief, DELAY_SECONDS)).to.equal(false)
  })

  it('keep the time of the sight that an earlier version recorded', async () => {
    const owner = randomUUID()
    const subject = keccak256(stringToHex(`wallet ${urnString('human', owner)} ${first.address}`.toLowerCase()))
    const [seenAt, dueAt] = [BEGIN - 2n * DELAY_SECONDS, BEGIN - DELAY_SECONDS]
    const message = `Market facilitator: first sight of ${subject}, payer 0, payee 0, at ${seenAt}, due ${dueAt}`
    const signature = await hotWallet.signMessage({ message })
    await session.write(
      `insert into facilitator.first_sights (number, subject, payer_micros, payee_micros, seen_at, due_at, signature)
       select 1, $1, 0, 0, $2::bigint, $3::bigint, $4 where (select is_held from lease)`,
      [subject, seenAt, dueAt, signature],
      'insert into facilitator.first_sights',
    )
    expect(await see(await sightOf(owner, first))).to.equal('confirmed')
    expect(await knows(owner, first, 0n)).to.equal(true)
  })

  it('are not changed by rows that the login of the facilitator adds, however many', async () => {
    const [owner, crowded] = [randomUUID(), randomUUID()]
    await see(await sightOf(owner, first))
    const add = (of: string, wallet: string, from: string | null, count = 1) =>
      role
        .query(
          `insert into facilitator.wallet_sights (owner_id, wallet, from_wallet, seen_at, due_at, signature)
           select $1, $2, $3, 0, 0, '0x' || repeat('1b', 65) from generate_series(1, $4)`,
          [of, wallet, from, count],
        )
        .then(
          () => 'added',
          ({ code }: pg.DatabaseError) => code,
        )
    const address = thief.address.toLowerCase()
    expect(await add(owner, address, null)).to.equal('added')
    expect(await add(owner, address, first.address.toLowerCase())).to.equal('added')
    for (const junk of ['', 'x', '0x', address.toUpperCase()])
      expect(await add(owner, junk, null), junk).to.equal('23514')
    expect(await knows(owner, thief, DELAY_SECONDS)).to.equal(false)
    expect(await knows(owner, first, DELAY_SECONDS)).to.equal(true)
    const numbered = `insert into facilitator.wallet_sights (id, owner_id, wallet, seen_at, due_at, signature)
      values (0, '${owner}', '${address}', 0, 0, '0x${'1b'.repeat(65)}')`
    expect(await role.query(numbered).catch(({ code }) => code)).to.equal('42501')
    for (const change of ['delete from', 'truncate'])
      expect(await role.query(`${change} facilitator.wallet_sights`).catch(({ code }) => code), change).to.equal(
        '42501',
      )
    // Too many to be told apart: no wallet then proves anything.
    await see(await sightOf(crowded, first))
    expect(await add(crowded, address, null, 100)).to.equal('added')
    expect(await knows(crowded, first, DELAY_SECONDS)).to.equal(false)
  })
})
