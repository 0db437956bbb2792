import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { ReleasedEvent } from '../../../../api/payments/chain/evidence.ts'
import { releasedPosting } from '../../../../api/payments/ledger/contract.ts'
import { custodyReleasedPosting } from '../../../../api/payments/ledger/custody.ts'
import { type Split, splitHold } from '../../../../protocol/payments/split.ts'
import { paymentEvent, place } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { newAddress, newHash, newTrade, PRICE, startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'

const LAST_PRICE = 2_000_000
const PRICES_A_SUM = 1_000
// Knuth's multiplier, below 2^32: what it leaves of a price is anywhere within it.
const MULTIPLIER = 2_654_435_761
const MODULUS = 4_294_967_296
const FEE_BPS = 500
const RANDOM_PRICES = 20_000
const LARGEST = 10n ** 14n

describe('refund, net and fee', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world.stop())

  test('of each price from 0.000001 to 2.000000, whole and after a refund, are that price, and the same in SQL [spec 3.3:1 3.3:3 8:6]', async () => {
    const { rows } = await sql<Sums>`
      select sum(fee * weight)::bigint as fee, sum(net * weight)::bigint as net, sum(refund * weight)::bigint as refund
      from generate_series(1, ${LAST_PRICE}::bigint) as price,
        lateral (values (0::bigint, 0::bigint),
          (price * ${MULTIPLIER}::bigint % ${MODULUS}::bigint % (price + 1), ${PRICES_A_SUM}::bigint)) refunded (refund, more),
        lateral (select price % ${PRICES_A_SUM}::bigint + more + 1 as weight,
          price / ${PRICES_A_SUM}::bigint as thousand) chosen,
        lateral (select (price - refund) * ${FEE_BPS}::bigint / 10000 as fee) charged,
        lateral (select price - refund - fee as net) rest
      group by thousand order by thousand`.execute(world.db)
    expect(rows).to.deep.equal(sumsInCode())
  })

  test(`of ${RANDOM_PRICES} random prices up to ${LARGEST / 10n ** 6n} and any fee are the same in SQL`, async () => {
    const amount = fc.bigInt(1n, LARGEST)
    const drawn = fc.sample(fc.tuple(amount, amount, fc.integer({ min: 0, max: 10_000 })), RANDOM_PRICES)
    const cases = drawn.map(([price, some, feeBps]) => {
      const refund = some % (price + 1n)
      return { price, refund, feeBps, split: splitHold(price, refund, feeBps) }
    })
    for (const { price, split } of cases) expect(total(split) === price, `${price}`).to.equal(true)
    const column = (read: (one: (typeof cases)[number]) => bigint | number) => cases.map((one) => String(read(one)))
    const { rows } = await sql`
      select * from unnest(${column(({ price }) => price)}::bigint[], ${column(({ refund }) => refund)}::bigint[],
        ${column(({ feeBps }) => feeBps)}::bigint[], ${column(({ split }) => split.feeMicros)}::bigint[],
        ${column(({ split }) => split.payeeMicros)}::bigint[]) as given(price, refund, bps, fee, net)
      where fee <> div((price - refund)::numeric * bps, 10000) or net <> price - refund - fee`.execute(world.db)
    expect(rows).to.deep.equal([])
  })

  test('are booked as whole transfers in both modes, with no leg of nothing', () => {
    const { chain } = world.settings
    const parties = { sellerOwnerId: newHash(), refundPayoutId: newHash() }
    const released = { kind: 'released', place: place(), holdId: newHash(), order: newHash(), cause: 0 } as const
    const [payer, payee, service] = [newAddress(), newAddress(), newAddress()]
    const price = fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, LARGEST))
    fc.assert(
      fc.property(price, fc.bigInt(0n, LARGEST), (holdMicros, some) => {
        const split = splitHold(holdMicros, some % (holdMicros + 1n), FEE_BPS)
        const credits = [
          { account: payer, amountMicros: split.payerMicros },
          { account: payee, amountMicros: split.payeeMicros },
          { account: service, amountMicros: split.feeMicros },
        ]
        const event: ReleasedEvent = { ...released, payer, credits }
        for (const { legs } of [
          custodyReleasedPosting(chain, newHash(), split, parties),
          releasedPosting(chain, event),
        ]) {
          expect(legs.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)).to.equal(0n)
          expect(legs[0]?.amountMicros).to.equal(-holdMicros)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('of a hold must be the hold: the database takes no other [spec 3.3:4]', async () => {
    const trade = await newTrade(world, 'custodied')
    await world.settle(paymentEvent(trade))
    const release = (payerMicros: bigint) =>
      sql`update market.holds set status = 'released', released_payer_micros = ${payerMicros},
        released_payee_micros = 19000000, released_fee_micros = 1000000 where order_id = ${trade.orderId}`.execute(
        world.db,
      )
    for (const wrong of [1n, -1n]) {
      const refused = await release(wrong).catch((error) => error.constraint)
      expect(refused).to.equal('holds_released_whole')
    }
    await release(PRICE - 20_000_000n)
  })
})

interface Sums {
  fee: bigint
  net: bigint
  refund: bigint
}

/**
 * The same sums as the query's, by the code; each split weighs differently in its thousand, so that equal
 * errors do not cancel.
 */
function sumsInCode(): Sums[] {
  const sums: Sums[] = []
  for (let price = 1; price <= LAST_PRICE; price++) {
    const thousand = Math.floor(price / PRICES_A_SUM)
    const sum = sums[thousand] ?? { fee: 0n, net: 0n, refund: 0n }
    sums[thousand] = sum
    for (const [refund, more] of [
      [0, 0],
      [((price * MULTIPLIER) % MODULUS) % (price + 1), PRICES_A_SUM],
    ] as const) {
      const split = splitHold(BigInt(price), BigInt(refund), FEE_BPS)
      if (total(split) !== BigInt(price)) throw new Error(`the parts of ${price} are not ${price}`)
      const weight = BigInt((price % PRICES_A_SUM) + more + 1)
      sum.fee += split.feeMicros * weight
      sum.net += split.payeeMicros * weight
      sum.refund += split.payerMicros * weight
    }
  }
  return sums
}

function total({ payerMicros, payeeMicros, feeMicros }: Split): bigint {
  return payerMicros + payeeMicros + feeMicros
}
