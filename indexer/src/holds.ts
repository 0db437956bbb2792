import { type Context, ponder } from 'ponder:registry'
import {
  claimableBalances,
  holds,
  reclaims,
  releases,
  straysReturned,
  tokenTransfers,
  withdrawals,
} from 'ponder:schema'
import { type Address, isAddressEqual } from 'viem'
import { termsHash } from '../../protocol/payments/terms.ts'
import { placeOf } from './place.ts'

type Place = ReturnType<typeof placeOf>

ponder.on('Escrow:Funded', async ({ event, context }) => {
  const { holdId, order, payer, terms, adopted } = event.args
  const place = placeOf(event, context.chain.id)
  const location = {
    chainId: context.chain.id,
    escrow: context.contracts.Escrow.address,
    token: context.contracts.TokenIn.address,
  }
  await context.db.insert(holds).values({
    ...place,
    holdId,
    termsHash: termsHash(location, terms),
    orderKey: order,
    payer,
    payee: terms.payee,
    amountMicros: terms.amount,
    feeRecipient: terms.feeRecipient,
    feeBps: terms.feeBps,
    fundBy: BigInt(terms.fundBy),
    expiry: BigInt(terms.expiry),
    adopted,
  })
  if (adopted) return
  // A hold that was not adopted is logged directly after the transfer that paid it, unless the node left the
  // transfer out.
  const transfer = { transactionHash: place.transactionHash, logIndex: place.logIndex - 1 }
  if (await context.db.find(tokenTransfers, transfer)) await context.db.update(tokenTransfers, transfer).set({ holdId })
})

ponder.on('Escrow:Released', async ({ event, context }) => {
  const { holdId, order, payer, recipients, amounts, cause } = event.args
  const place = placeOf(event, context.chain.id)
  const hold = await context.db.find(holds, { holdId })
  // The node left out its Funded event. Without it the split's parties are unknown: `completeness.ts` finds
  // both events missing.
  if (!hold) return
  const paidTo = (account: Address) =>
    recipients.reduce((sum, to, leg) => (isAddressEqual(to, account) ? sum + (amounts[leg] ?? 0n) : sum), 0n)
  await context.db.insert(releases).values({
    ...place,
    holdId,
    orderKey: order,
    payer,
    payerMicros: paidTo(payer),
    payeeMicros: paidTo(hold.payee),
    feeMicros: paidTo(hold.feeRecipient),
    cause,
  })
  for (const [leg, account] of recipients.entries()) await credit(context, place, account, amounts[leg] ?? 0n)
})

ponder.on('Escrow:Reclaimed', async ({ event, context }) => {
  const { holdId, order, payer, amount } = event.args
  const place = placeOf(event, context.chain.id)
  await context.db.insert(reclaims).values({ ...place, holdId, orderKey: order, payer, amountMicros: amount })
  await credit(context, place, payer, amount)
})

ponder.on('Escrow:Withdrawn', async ({ event, context }) => {
  const { account, to, amount } = event.args
  const place = placeOf(event, context.chain.id)
  await context.db.insert(withdrawals).values({ ...place, account, recipient: to, amountMicros: amount })
  // There is a balance, unless the node left out the events that credited it.
  await context.db
    .insert(claimableBalances)
    .values({ ...place, account, creditedMicros: 0n, withdrawnMicros: amount, claimableMicros: -amount })
    .onConflictDoUpdate((balance) => ({
      ...place,
      withdrawnMicros: balance.withdrawnMicros + amount,
      claimableMicros: balance.claimableMicros - amount,
    }))
})

ponder.on('Escrow:StrayReturned', async ({ event, context }) => {
  const { from, nonce, amount } = event.args
  await context.db
    .insert(straysReturned)
    .values({ ...placeOf(event, context.chain.id), payer: from, nonce, amountMicros: amount })
})

async function credit(context: Context, place: Place, account: Address, amountMicros: bigint): Promise<void> {
  await context.db
    .insert(claimableBalances)
    .values({ ...place, account, creditedMicros: amountMicros, withdrawnMicros: 0n, claimableMicros: amountMicros })
    .onConflictDoUpdate((balance) => ({
      ...place,
      creditedMicros: balance.creditedMicros + amountMicros,
      claimableMicros: balance.claimableMicros + amountMicros,
    }))
}
