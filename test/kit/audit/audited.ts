import { readFileSync } from 'node:fs'
import { createPublicClient, custom, type PublicClient } from 'viem'
import type { AuditTarget } from '../../../audit/history.ts'
import type { EscrowBuild } from '../../../audit/immutables.ts'
import type { Published } from '../../../audit/published.ts'
import { publicKeyJwk } from '../../../protocol/keys/signing.ts'
import type { SignedFeeSchedule } from '../../../protocol/payments/fees.ts'
import { startChain, type TestChain } from '../chain/node.ts'
import { onlyFee, type Records, SIGNING_KEY, tradeAndRecord } from './records.ts'

const ARTIFACT = new URL('../../../artifacts/contracts/Escrow.sol/Escrow.json', import.meta.url)

/** What the contract's sources compile to. */
export const build: EscrowBuild = JSON.parse(readFileSync(ARTIFACT, 'utf8'))

/** A log as a node tells it. */
export interface RpcLog {
  transactionHash: string
  logIndex: string
  topics: string[]
  data: string
}

/**
 * Trades in both modes on a chain that stands still, what the service has told of them, and where to look.
 */
export interface Audited {
  chain: TestChain
  target: AuditTarget
  records: Records
  keys: Published['keys']
  fees: SignedFeeSchedule
  /** A client of the chain's node. */
  client: PublicClient
  /** The same of a node that tells some logs differently, or leaves them out. */
  telling: (tell: (log: RpcLog) => RpcLog | []) => PublicClient
  stop: () => Promise<void>
}

export async function startAudited(): Promise<Audited> {
  const chain = await startChain()
  const records = await tradeAndRecord(chain)
  const answers = new Map<string, Promise<unknown>>()
  const telling: Audited['telling'] = (tell) => remembering(chain, answers, tell)
  return {
    ...{ chain, records, telling, client: telling((log) => log) },
    keys: [await publicKeyJwk(SIGNING_KEY)],
    fees: await onlyFee(chain),
    target: {
      chainId: chain.chainId,
      escrow: chain.escrow,
      hotWallet: chain.accounts.hotWallet.address,
      token: chain.token,
      fromBlock: chain.startBlock,
      toBlock: await chain.client.getBlockNumber(),
    },
    stop: chain.stop,
  }
}

/** A client that asks the node each question once: the chain stands still. */
function remembering(
  chain: TestChain,
  answers: Map<string, Promise<unknown>>,
  tell: (log: RpcLog) => RpcLog | [],
): PublicClient {
  return createPublicClient({
    transport: custom({
      request: async ({ method, params }) => {
        const question = JSON.stringify([method, params])
        const known = answers.get(question) ?? chain.client.request({ method, params } as never)
        answers.set(question, known)
        const answer = await known
        if (method === 'eth_getLogs') return (answer as RpcLog[]).flatMap(tell)
        if (method !== 'eth_getTransactionReceipt') return answer
        const receipt = answer as { logs: RpcLog[] }
        return { ...receipt, logs: receipt.logs.flatMap(tell) }
      },
    }),
    cacheTime: 0,
  })
}
