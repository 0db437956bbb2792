import { type Address, encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { receiveAuthorizationTypedData, transferAuthorizationTypedData } from '../../protocol/payments/authorization.ts'
import { type Terms, termsHash } from '../../protocol/payments/terms.ts'
import { startChain, type TestChain } from '../../test/kit/chain/node.ts'
import { mined, mintUsdc, roleAccount } from '../../test/kit/chain/payments.ts'

/** One order's price, and its parts at 5%. */
export const PRICE_MICROS = 20_000_000n
export const FEE_MICROS = 1_000_000n

// A zero byte of calldata costs less than another, so that a figure is the same in each run only if every
// byte is.
export const NOW_SECONDS = 4_102_444_800
const FUND_BY_SECONDS = NOW_SECONDS + 86_400
export const EXPIRY_SECONDS = NOW_SECONDS + 180 * 86_400
const GAS_LIMIT = 16_000_000n
const GAS_MONEY_WEI = 10n ** 20n

/** An order whose payer, payee and fee recipient are known. */
export interface Order {
  terms: Terms
  payer: PrivateKeyAccount
}

/** A chain for measuring: real USDC, the escrow, and a time that is the same in every run. */
export type GasMarket = Awaited<ReturnType<typeof startGasMarket>>

/** Starts one. Stop its chain when done. */
export async function startGasMarket() {
  const chain = await startChain()
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(NOW_SECONDS) })
  const resolver = roleAccount(chain, 'resolver')
  const submitter = roleAccount(chain, 'submitter')
  let orders = 0

  /**
   * Sends a call and answers the gas its receipt shows: intrinsic, calldata and execution, less the refund.
   */
  const send = async (account: PrivateKeyAccount, to: Address, data: Hex): Promise<number> => {
    const sent = chain.client.sendTransaction({ account, to, data, gas: GAS_LIMIT })
    return Number((await mined(chain, sent)).gasUsed)
  }
  return {
    chain,
    resolver,
    submitter,
    send,
    party: (name: string) => party(chain, name),
    holder: async (name: string) => {
      const holder = await party(chain, name)
      await mintUsdc(chain, holder.address, 1_000n * PRICE_MICROS)
      return holder
    },
    order(payer: PrivateKeyAccount, payee: Address, feeRecipient: Address): Order {
      const order = keccak256(stringToHex(`order ${orders++}`))
      const times = { fundBy: FUND_BY_SECONDS, expiry: EXPIRY_SECONDS }
      return { payer, terms: { order, payee, amount: PRICE_MICROS, feeRecipient, feeBps: 500, ...times } }
    },
    async fund(order: Order) {
      const data = encodeFunctionData({ abi: escrowAbi, functionName: 'fund', args: await funding(chain, order) })
      return send(submitter, chain.escrow, data)
    },
    async fundWithReceive(order: Order) {
      const args = await funding(chain, order, receiveAuthorizationTypedData)
      return send(
        submitter,
        chain.escrow,
        encodeFunctionData({ abi: escrowAbi, functionName: 'fundWithReceive', args }),
      )
    },
    /** Takes the signed payment past the escrow. */
    async payDirectly(order: Order) {
      const [, from, validAfter, validBefore, signature] = await funding(chain, order)
      const args = [
        ...([from, chain.escrow, PRICE_MICROS, validAfter, validBefore] as const),
        ...([termsHash(chain, order.terms), signature] as const),
      ] as const
      const call = { abi: tokenAbi, functionName: 'transferWithAuthorization', args } as const
      return send(submitter, chain.token, encodeFunctionData(call))
    },
  }
}

/** An account of a fixed key, with native coin for gas and no USDC. */
async function party(chain: TestChain, name: string): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(keccak256(stringToHex(name)))
  await chain.client.setBalance({ address: account.address, value: GAS_MONEY_WEI })
  return account
}

async function funding(
  chain: TestChain,
  { terms, payer }: Order,
  typedData:
    | typeof transferAuthorizationTypedData
    | typeof receiveAuthorizationTypedData = transferAuthorizationTypedData,
) {
  const times = { validAfter: 0n, validBefore: BigInt(terms.fundBy) }
  const message = {
    from: payer.address,
    to: chain.escrow,
    value: terms.amount,
    nonce: termsHash(chain, terms),
    ...times,
  }
  const domain = { ...chain.tokenNames, chainId: chain.chainId, verifyingContract: chain.token }
  const signature = await payer.signTypedData(
    typedData(domain, message) as ReturnType<typeof transferAuthorizationTypedData>,
  )
  return [terms, payer.address, times.validAfter, times.validBefore, signature] as const
}
