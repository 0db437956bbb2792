import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { Place } from '../../../../api/payments/chain/evidence.ts'
import * as appealFees from '../../../../api/payments/ledger/appealFees.ts'
import * as contract from '../../../../api/payments/ledger/contract.ts'
import * as custody from '../../../../api/payments/ledger/custody.ts'
import * as loss from '../../../../api/payments/ledger/loss.ts'
import { type Posting, post } from '../../../../api/payments/ledger/post.ts'
import * as reserves from '../../../../api/payments/ledger/reserve.ts'
import { ROOT } from '../../../../cli/machine/paths.ts'
import { newAddress, newHash, startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'

const page = readFileSync(`${ROOT}docs/ledger.md`, 'utf8')

describe('the page of the ledger', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world.stop())

  test('names every kind of account that the database takes, and no other', async () => {
    const { rows } = await sql<{ kind: string }>`select kind from ledger.account_kinds`.execute(world.db)
    const kinds = rows.map(({ kind }) => kind)
    expect(itemsUnder('Kinds of account').map(([kind]) => kind)).to.have.members(kinds)
  })

  test('names every posting there is, with its entries, and no other', async () => {
    const made = [...examples(world), ...(await vanishedExamples(world))].map(signature)
    const told = itemsUnder('Postings').map(([kind, entries]) => `${kind}: ${entries}`)
    // What comes again is the opposite of what had vanished, and told in one row.
    expect(told.filter((row) => !row.startsWith('restored'))).to.have.members([...new Set(made)])
  })

  test('shows a statement that does what it is said to', async () => {
    const statements = [...page.matchAll(/```sql[^\n]*\n(.*?)```/gs)].map(([, block = '']) => block)
    expect(statements).to.have.length(1)
    const [statement = ''] = statements
    const posted = async () => (await sql`${sql.raw(statement)}`.execute(world.db)).rows
    expect(await posted()).to.deep.equal([{ post_transfers: [true] }])
    expect(await posted()).to.deep.equal([{ post_transfers: [false] }])
    const { rows } = await sql<{ kind: string; micros: bigint }>`
      select account.kind, sum(entry.amount)::bigint as micros from ledger.accounts account
      join ledger.entries entry on entry.account_id = account.id where account.asset = ${'eip155:8453/0x…'}
      group by account.kind order by account.kind`.execute(world.db)
    expect(rows).to.deep.equal([
      { kind: 'hold', micros: 20_000_000n },
      { kind: 'hot_wallet', micros: -20_000_000n },
    ])
  })

  test('leaves out no builder of postings', () => {
    const builders = [appealFees, contract, custody, loss, reserves].flatMap((room) => Object.keys(room))
    expect(builders).to.have.members([...USED])
  })
})

/** The items of the list under a heading: the kind, and what follows it up to the colon, without markup. */
function itemsUnder(heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return section.split('\n').flatMap((line) => {
    const found = /^- `(\w+)`([^:]*)/.exec(line)
    return found ? [found.slice(1).map((part) => part.replaceAll('`', '').trim())] : []
  })
}

/** A posting as the page tells it: its kind, and each entry's account with the side it is on. */
function signature({ kind, legs }: Posting): string {
  const entries = legs.filter(({ amountMicros }) => amountMicros !== 0n)
  return `${kind}: ${entries.map((leg) => `${leg.kind} ${leg.amountMicros < 0n ? '−' : '+'}`).join(' ')}`
}

const USED = [
  ...['fundedPosting', 'releasedPosting', 'reclaimedPosting', 'withdrawnPosting', 'strayReturnedPosting'],
  ...['strayPosting', 'depositPosting', 'matchedPosting', 'custodyReleasedPosting', 'payoutMovedPosting'],
  ...['payoutConfirmedPosting', 'rescuedPosting', 'vanishedPosting', 'restoredPosting', 'sweptPosting'],
  ...['refilledPosting', 'lostPosting', 'appealPaidPosting', 'appealDecidedPosting'],
]

const place: Place = { blockNumber: 1n, blockHash: newHash(), txHash: newHash(), logIndex: 1 }
const amountMicros = 20n
const key = 'payment:0x1:0x2'
const ID = '00000000-0000-0000-0000-000000000001'
const payable = { kind: 'payable', humanId: ID } as const
const inTransit = { kind: 'in_transit', payoutId: ID } as const
const suspense = { kind: 'suspense', strayKey: key } as const

function examples({ settings: { chain } }: World): Posting[] {
  const [escrow, hotWallet] = [chain.escrow.toLowerCase() as Hex, chain.hotWallet.toLowerCase() as Hex]
  const account = newAddress()
  const hold = { place, holdId: newHash(), order: newHash(), payer: account }
  const terms = { order: newHash(), payee: account, amount: amountMicros, feeRecipient: account }
  const funded = { kind: 'funded', ...hold, nonce: newHash() } as const
  const limits = { feeBps: 500, fundBy: 1, expiry: 2 }
  const credits = [17n, 1n, 2n].map((micros) => ({ account, amountMicros: micros }))
  const paid = { kind: 'payment', place, from: account, nonce: newHash(), amountMicros, holdId: null } as const
  const moved = { kind: 'transfer', place, from: account, amountMicros } as const
  const outflow = { kind: 'outflow', place, to: account, nonce: newHash(), amountMicros } as const
  const payout = { id: ID, order_id: null, amount_micros: amountMicros }
  const sellerOwnerId = ID
  const reserve = { coldWallet: newAddress(), ceilingMicros: 0n }
  const move = (from: custody.PayoutAccount, to: custody.PayoutAccount) =>
    custody.payoutMovedPosting(chain, payout, { step: 'a step', from, to })
  const split = (payerMicros: bigint, payeeMicros: bigint, feeMicros: bigint) =>
    custody.custodyReleasedPosting(
      chain,
      ID,
      { payerMicros, payeeMicros, feeMicros },
      { sellerOwnerId, refundPayoutId: payerMicros > 0n ? ID : null },
    )
  return [
    contract.fundedPosting(chain, { ...funded, terms: { ...terms, ...limits }, adopted: false }),
    contract.fundedPosting(chain, { ...funded, terms: { ...terms, ...limits }, adopted: true }),
    contract.releasedPosting(chain, { kind: 'released', ...hold, credits, cause: 0 }),
    contract.reclaimedPosting(chain, { kind: 'reclaimed', ...hold, amountMicros }),
    contract.withdrawnPosting(chain, {
      ...{ kind: 'withdrawn', place, account, to: account, amountMicros, ordinal: 0 },
    }),
    contract.depositPosting(chain, { ...paid, to: hotWallet }, ID),
    ...[escrow, hotWallet].map((to) => contract.strayPosting(chain, { ...paid, to })),
    ...[escrow, hotWallet].map((to) => contract.strayPosting(chain, { ...moved, to })),
    custody.matchedPosting(chain, ID, key, amountMicros),
    contract.strayReturnedPosting(chain, {
      ...{ kind: 'stray_returned', place, from: account, nonce: newHash(), amountMicros },
    }),
    contract.rescuedPosting(chain, { kind: 'rescued', place, to: account, amountMicros }),
    loss.lostPosting(chain, outflow),
    loss.lostPosting(chain, { ...outflow, kind: 'leak' }),
    ...[split(0n, 19n, 1n), split(2n, 17n, 1n), split(20n, 0n, 0n)],
    ...[move(payable, inTransit), move(inTransit, payable), move(suspense, inTransit), move(inTransit, suspense)],
    reserves.sweptPosting(chain, reserve, outflow, 1n),
    reserves.refilledPosting(chain, reserve, { ...moved, to: hotWallet }),
    appealFees.appealPaidPosting(chain, { ...paid, to: hotWallet }, { id: ID, disputeId: ID, amountMicros }),
    ...[null, ID].map((refund) =>
      appealFees.appealDecidedPosting(chain, { id: ID, disputeId: ID, amountMicros }, refund),
    ),
    ...[inTransit, payable, suspense].map((from) => custody.payoutConfirmedPosting(chain, outflow, null, from)),
  ]
}

/** What is posted when the chain takes back each kind of fact that had moved something. */
async function vanishedExamples(world: World): Promise<Posting[]> {
  const { chain } = world.settings
  const moving = examples(world).filter(({ legs }) =>
    legs.some(({ kind }) => kind === 'escrow_contract' || kind === 'hot_wallet'),
  )
  const undone: Posting[] = []
  for (const [index, posting] of moving.entries()) {
    const fact = { key: `fact:${index}`, kind: posting.kind, times: 1 }
    const opened = posting.legs.filter(({ amountMicros: micros }) => micros < 0n)
    const funding = opened.map((leg) => ({ ...leg, amountMicros: -leg.amountMicros }))
    await world.run(async (tx) => {
      // Whatever the posting takes from must be there.
      const source = { ...posting, orderId: null, key: `source:${index}`, kind: 'test' }
      const total = funding.reduce((sum, leg) => sum + leg.amountMicros, 0n)
      await post(tx, {
        ...source,
        legs: [...funding, { kind: 'loss', owner: { type: 'event', id: 'test:funding' }, amountMicros: -total }],
      })
      await post(tx, { ...posting, orderId: null, key: fact.key })
      const posted = await loss.vanishedPosting(tx, chain, fact)
      if (posted) undone.push({ ...posted, legs: sorted(posted) })
      expect(await loss.restoredPosting(tx, chain, fact)).to.not.equal(undefined)
    })
  }
  return undone
}

/** What the contract or the wallet holds, first. */
function sorted({ legs }: Posting): Posting['legs'] {
  return legs.toSorted((one, other) => Number(other.kind.includes('_')) - Number(one.kind.includes('_')))
}
