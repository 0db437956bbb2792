import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { payoutNonce } from '../../../protocol/payments/nonces.ts'
import { bindWallet, depositFrom } from '../chain/custody.ts'
import { freeAccount, mintUsdc, saleOf, signForCustody, submitToToken } from '../chain/payments.ts'
import { type Acting, actHere, outcomeOf, request, startBench } from './facilitator.ts'

type Payout = IntentOf<'payout'>

/** What a deposit pays. */
const PRICE = 20_000_000n
/** What its seller gets of it. */
export const NET = 19_000_000n

/** A bench with a full hot wallet, and a facilitator that acts in this process where it is told to. */
export type Custody = Awaited<ReturnType<typeof startCustody>>

/** Starts everything but the facilitator. */
export async function startCustody() {
  const bench = await startBench()
  const hotWallet = bench.chain.accounts.hotWallet.address
  const [buyer, seller] = [freeAccount(0), freeAccount(1)]
  for (const account of [buyer.address, hotWallet]) await mintUsdc(bench.chain, account, 1_000_000_000n)
  let facilitator: Acting | undefined
  const stopActing = async () => {
    await facilitator?.stop()
    facilitator = undefined
  }
  /** Makes a deposit, and returns what is to pay it to its seller. */
  const newPayout = async (): Promise<Payout> => {
    const signed = await signForCustody(bench.chain, buyer, PRICE)
    const deposit = depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
    const binding = await bindWallet(bench.chain, seller)
    return { kind: 'payout', deposit, leg: 'payee', to: seller.address, amount: NET, binding, sale: saleOf(deposit) }
  }
  return {
    bench,
    seller,
    act: async (overrides: Record<string, string> = {}) => {
      facilitator = await actHere(bench, overrides)
      return facilitator
    },
    stopActing,
    newPayout,
    /** How a payout of a new deposit ended. */
    payOnce: async () => (await outcomeOf(bench, await request(bench, await newPayout()))).status,
    /** What is to return a deposit to its payer. */
    toBuyer: (deposit: Payout['deposit']): Payout => {
      return { kind: 'payout', deposit, leg: 'payer', to: buyer.address, amount: PRICE }
    },
    /** How many authorizations for a payout are on file. */
    signedFor: async ({ deposit, leg }: Payout) => {
      const nonce = payoutNonce({ ...bench.chain, hotWallet }, deposit, leg)
      const { rowCount } = await bench.client.query('select from facilitator.authorizations where nonce = $1', [nonce])
      return rowCount ?? 0
    },
    stop: async () => {
      await stopActing()
      await bench.stop()
    },
  }
}
