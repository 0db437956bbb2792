import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { encodeFunctionData, type Hex, keccak256, parseGwei } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import type { IntentOf } from '../protocol/payments/intents.ts'
import type { TestChain } from '../test/kit/chain/node.ts'

const GAS = 300_000n
const POLL_MS = 10
const CONNECTIONS = 16

/** A transaction that needs nothing more than to be tried, written down and sent. */
export interface ReadyTransaction {
  intentId: string
  nonce: number
  hash: Hex
  raw: Hex
  data: Hex
}

/** Signs the transactions of these payments beforehand, in one sequence of nonces. */
export async function makeReady(
  chain: TestChain,
  account: PrivateKeyAccount,
  fundings: readonly { intentId: string; payload: IntentOf<'fund'> }[],
): Promise<ReadyTransaction[]> {
  const first = await chain.client.getTransactionCount({ address: account.address })
  const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('1') }
  const sign = async ({ intentId, payload }: (typeof fundings)[number], index: number) => {
    const { from, validAfter, validBefore, signature } = payload.authorization
    const args = [payload.terms, from, validAfter, validBefore, signature] as const
    const data = encodeFunctionData({ abi: escrowAbi, functionName: 'fund', args })
    const nonce = first + index
    const call = { to: chain.escrow, data, gas: GAS, nonce, chainId: chain.chainId }
    const raw = await account.signTransaction({ type: 'eip1559', ...call, ...fees })
    return { intentId, nonce, raw, data, hash: keccak256(raw) }
  }
  return Promise.all(fundings.map(sign))
}

/** Sends what was made ready. */
export interface Blast {
  /**
   * Tries one, writes it down, sends it; answers when its receipt says at confirmed depth that it succeeded.
   */
  settle: (transaction: ReadyTransaction) => Promise<void>
  stop: () => Promise<void>
}

/**
 * The least that settling a payment takes, with nothing decided on the way: one eth_call, one row, committed,
 * one eth_sendRawTransaction, one receipt. No nonce is allotted and nothing signed meanwhile.
 */
export function startBlast(
  chain: TestChain,
  databaseUrl: string,
  account: PrivateKeyAccount,
  confirmations: number,
): Blast {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS })
  const settled = watchSettled(chain, account, confirmations)
  return {
    async settle({ intentId, nonce, hash, raw, data }) {
      await chain.client.call({ account, to: chain.escrow, data })
      await pool.query(
        'insert into facilitator.transactions (hash, intent_id, signer, nonce, raw) values ($1, $2, $3, $4, $5)',
        [hash, intentId, account.address.toLowerCase(), nonce, raw],
      )
      await chain.client.sendRawTransaction({ serializedTransaction: raw })
      await settled.until(nonce)
      const receipt = await chain.client.getTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`the blast's transaction ${hash} reverted`)
    },
    async stop() {
      await settled.stop()
      await pool.end()
    },
  }
}

/**
 * Tells when a nonce of the account has been used at confirmed depth: one question a block for all of them.
 */
function watchSettled({ client }: TestChain, { address }: PrivateKeyAccount, confirmations: number) {
  const waiting = new Map<number, () => void>()
  let watching = true
  const watched = (async () => {
    let known = -1n
    while (watching) {
      const latest = await client.getBlockNumber({ cacheTime: 0 })
      if (latest !== known) {
        known = latest
        const count = await client.getTransactionCount({ address, blockNumber: latest - BigInt(confirmations) })
        for (const [nonce, resolve] of waiting) if (nonce < count && waiting.delete(nonce)) resolve()
      }
      await delay(POLL_MS)
    }
  })()
  return {
    until: (nonce: number) => new Promise<void>((resolve) => waiting.set(nonce, resolve)),
    async stop() {
      watching = false
      await watched
    },
  }
}
