import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Address, Hex } from 'viem'
import type { AppealFeeRow } from '../../../../api/payments/appealFees/find.ts'
import { endAuthorizations } from '../../../../api/payments/settlement/endAuthorizations.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { lapseUnpaidAppeals } from '../../../../api/trading/disputes/work/deadlines.ts'
import { cancelOrder } from '../../../../api/trading/orders/work/cancel.ts'
import { chainSettings } from '../../../../cli/stack/services.ts'
import { giveToken, startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { appeal, feeEvent, feesOf, fund } from '../../../kit/api/trading/disputes/appeals.ts'
import { type DisputedTrade, disputeIn, disputeOf } from '../../../kit/api/trading/disputes/world.ts'
import { startChain, type TestChain } from '../../../kit/chain/node.ts'
import { freeAccount, mineBlocks, mintUsdc, signTransfer, submitToToken } from '../../../kit/chain/payments.ts'

describe('an appeal whose time to pay is over', () => {
  let chain: TestChain
  let world: World
  let services: JobServices
  const payer = freeAccount(0)

  before(async () => {
    chain = await startChain()
    await mintUsdc(chain, payer.address, 1_000_000_000n)
    world = await startWorld(chainSettings(chain))
    services = { db: world.serviceDb, rpc: chain.client, settings: world.settings, log: pino({ level: 'silent' }) }
  })
  after(async () => {
    await world?.stop()
    await chain?.stop()
  })

  const appealed = async () => {
    const trade = await disputeIn(world, 'custodied', 'decided')
    return { trade, fee: await appeal(world, trade, 'buyer') }
  }
  const pay = async ({ recipient, nonce, amount_micros: value }: AppealFeeRow) => {
    const signed = await signTransfer(chain, payer, { to: recipient as Address, value, nonce: nonce as Hex })
    await submitToToken(chain, signed)
  }
  const passHere = (seconds: number) =>
    sql`update sandbox.clock set shift = shift + make_interval(secs => ${seconds})`.execute(world.db)
  const passOnChain = async (seconds: number) => {
    await chain.client.increaseTime({ seconds })
    await mineBlocks(chain, 4)
  }
  const pass = async (seconds: number) => {
    await passHere(seconds)
    await passOnChain(seconds)
  }
  const stateOf = async (trade: DisputedTrade) => [
    (await disputeOf(world, trade)).state,
    ...(await feesOf(world, trade)).map(({ state }) => state),
  ]

  it('lapses once the node proves that nobody paid, and not while a payment is there that is not processed', async () => {
    const [unpaid, paid] = [await appealed(), await appealed()]
    const { amount_micros: feeMicros } = unpaid.fee
    const present = () => fund(world, unpaid.trade, 'buyer', unpaid.fee, unpaid.trade.payer)
    await giveToken(world, unpaid.trade.buyer, feeMicros - 1n)
    const refusal = await present().catch((error: Error) => error.message)
    expect(refusal).to.match(/^tokens\/spend-limit/)
    const spent = await giveToken(world, unpaid.trade.buyer, feeMicros)
    await present()
    expect(await spent()).to.deep.equal([feeMicros])
    await pay(paid.fee)
    await lapseUnpaidAppeals(services)
    expect(await stateOf(unpaid.trade)).to.deep.equal(['decided', 'offered'])
    await passHere(world.settings.rules.appealPaymentSeconds + 60)
    await lapseUnpaidAppeals(services)
    expect(await stateOf(unpaid.trade), 'only our clock is past the offer').to.deep.equal(['decided', 'offered'])
    await passOnChain(world.settings.rules.appealPaymentSeconds + 60)
    await lapseUnpaidAppeals(services)
    expect(await stateOf(unpaid.trade)).to.deep.equal(['decided', 'lapsed'])
    expect(await spent(), 'what ran out unused is given back').to.deep.equal([0n])
    expect(await stateOf(paid.trade)).to.deep.equal(['decided', 'offered'])
    await world.db
      .insertInto('market.wallet_owners')
      .values({ address: payer.address.toLowerCase(), owner_id: paid.trade.buyer.humanId })
      .execute()
    await world.settle(feeEvent(paid.fee, payer.address.toLowerCase() as Address))
    await lapseUnpaidAppeals(services)
    expect(await stateOf(paid.trade)).to.deep.equal(['in_review', 'held'])
  })

  it('gives back what was to pay it where the dispute ended before', async () => {
    const { trade, fee } = await appealed()
    const spent = await giveToken(world, trade.buyer)
    await fund(world, trade, 'buyer', fee, trade.payer)
    await world.run((tx) => cancelOrder(tx, trade.seller.call, trade.orderId, 'conceded'))
    expect(await stateOf(trade)).to.deep.equal(['closed', 'lapsed'])
    await endAuthorizations(services)
    expect(await spent(), 'it could still be paid').to.deep.equal([fee.amount_micros])
    await pass(world.settings.rules.appealPaymentSeconds + 60)
    await endAuthorizations(services)
    expect(await spent()).to.deep.equal([0n])
  })
})
