import { type Address, type Hex, parseEventLogs } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { IntentPayload } from '../../../protocol/payments/intents.ts'
import { payoutNonce, sweepNonce } from '../../../protocol/payments/nonces.ts'
import { bindWallet, depositFrom } from '../chain/custody.ts'
import { freeAccount, mintUsdc, saleOf, signForCustody, submitToToken } from '../chain/payments.ts'
import { type Bench, blocksLater } from './facilitator.ts'

const PRICE = 20_000_000n
const NET = 19_000_000n
const CEILING = 100_000_000n
const PLENTY = 10_000_000_000n

/** An intent, and how often the chain did what it asks. */
export interface Wish {
  payload: IntentPayload
  effects: () => Promise<number>
}

/** Asks for what leaves the hot wallet: each answer is another payout, another sweep. */
export interface Outflows {
  /** What a facilitator that sweeps is told. */
  environment: Record<string, string>
  payout: () => Promise<Wish>
  sweep: () => Promise<Wish>
}

/** Fills a buyer's wallet and the hot one, deep enough to be swept. */
export async function startOutflows(bench: Bench): Promise<Outflows> {
  const { chain } = bench
  const hotWallet = chain.accounts.hotWallet.address
  const at = { ...chain, hotWallet }
  const [buyer, seller, cold] = [freeAccount(0), freeAccount(1), freeAccount(4)]
  for (const account of [buyer.address, hotWallet]) await mintUsdc(chain, account, PLENTY)
  await blocksLater(bench, 3)
  let sequence = 0n
  return {
    environment: { COLD_WALLET_ADDRESS: cold.address, HOT_WALLET_CEILING_MICROS: `${CEILING}` },
    payout: async () => {
      const authorization = await signForCustody(chain, buyer, PRICE)
      const deposit = depositFrom(authorization, (await submitToToken(chain, authorization)).transactionHash)
      const binding = await bindWallet(chain, seller)
      return {
        payload: {
          kind: 'payout',
          deposit,
          leg: 'payee',
          to: seller.address,
          amount: NET,
          binding,
          sale: saleOf(deposit),
        },
        effects: () => usesOf(bench, hotWallet, payoutNonce(at, deposit, 'payee')),
      }
    },
    sweep: async () => {
      const payload = { kind: 'sweep', sequence: ++sequence, amount: PRICE } as const
      return { payload, effects: () => usesOf(bench, hotWallet, sweepNonce(at, payload.sequence)) }
    },
  }
}

/** How often an account's authorization of a nonce moved tokens. */
export async function usesOf({ chain }: Bench, authorizer: Address, nonce: Hex): Promise<number> {
  const filter = { address: chain.token, fromBlock: chain.startBlock, toBlock: 'latest' } as const
  const logs = parseEventLogs({
    abi: tokenAbi,
    eventName: 'AuthorizationUsed',
    logs: await chain.client.getLogs(filter),
  })
  return logs.filter(({ args }) => args.authorizer === authorizer && args.nonce === nonce).length
}
