import { type Address, type Hex, isAddressEqual } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { payoutNonce } from '../../../protocol/payments/nonces.ts'
import { createMarket } from '../../../sdk/market.ts'
import { query } from '../../e2e/books.ts'
import { type Parties, untilThere } from '../../e2e/trading.ts'
import type { Stack } from '../../kit/stack/stack.ts'

const STRAY_DELAY_SECONDS = 4 * 86_400

/** Where attacks take place: the real processes, and a contract that makes any calls in one transaction. */
export interface Arena {
  stack: Stack
  sequence: Address
  /** What is checked once the contract's delay has passed. */
  later: (() => Promise<void>)[]
}

/**
 * Checks what became of a payment that arrived at one of our addresses and is no hold: at once where the hot
 * wallet has it. The escrow adopts or returns it after a delay of days, so that is checked at the end, all
 * together.
 */
export async function onceResolved({ stack, later }: Arena, at: Address, check: () => Promise<void>): Promise<void> {
  if (isAddressEqual(at, stack.chain.escrow)) later.push(check)
  else await check()
}

/** Lets the contract's delay pass for all that is announced by now, and checks what became of it. */
export async function passStrayDelay({ stack, later }: Arena): Promise<void> {
  const unannounced = () => readUnannounced(stack)
  await untilThere('all stray payments are announced', unannounced, (payments) => payments.length === 0)
  const operator = createMarket({ baseUrl: stack.baseUrl, token: stack.credentials.operator_token })
  await operator.call('advanceSandboxClock', { body: { seconds: STRAY_DELAY_SECONDS } })
  await Promise.all(later.splice(0).map((check) => check()))
}

/** The payments that the escrow is to adopt or return, and that nothing is announced for. */
async function readUnannounced(stack: Stack): Promise<{ payer: Address; nonce: Hex }[]> {
  const payments = await query<{ payer: Address; nonce: Hex }>(
    stack,
    `select payer, nonce from market.unmatched_payments
     where kind = 'escrow_payment' and status in ('adopting', 'returning')`,
  )
  const { escrow, client } = stack.chain
  const announced = { address: escrow, abi: escrowAbi, functionName: 'announcedStray' } as const
  const actions = await Promise.all(
    payments.map(({ payer, nonce }) => client.readContract({ ...announced, args: [payer, nonce] })),
  )
  return payments.filter((_payment, place) => actions[place]?.[0] === 0)
}

/** The nonce of the payout to the seller of an order whose buyer paid under `nonce`. */
export function payeePayout({ stack: { chain } }: Arena, { buyer }: Parties, nonce: Hex): Hex {
  const hotWallet = chain.accounts.hotWallet.address
  return payoutNonce({ ...chain, hotWallet }, { from: buyer.account.address, nonce }, 'payee')
}
