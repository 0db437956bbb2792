import { describe, it } from 'node:test'
import { expect } from 'chai'
import {
  type Address,
  createPublicClient,
  custom,
  encodeEventTopics,
  getAddress,
  type Hex,
  type PublicClient,
  padHex,
  toHex,
} from 'viem'
import { type AuditTarget, readHistory } from '../../audit/history.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'

const account = (seed: number): Address => getAddress(padHex(toHex(seed), { size: 20 }))
const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const target: AuditTarget = {
  ...{ chainId: 31_337, escrow: account(0xe), hotWallet: account(0xa), token: account(0x7) },
  ...{ fromBlock: 1n, toBlock: 9n },
}
const [PAYER, STRANGER, NONCE] = [account(3), account(4), hash(0x99)]

interface ToldLog {
  address: Address
  topics: readonly unknown[]
  data: Hex
  transactionHash: Hex | null
  blockNumber: Hex | null
  logIndex: Hex | null
}

const at = (logIndex: number) => ({ transactionHash: hash(5), blockNumber: toHex(4), logIndex: toHex(logIndex) })
const used = (authorizer: Address, address = target.token): ToldLog => ({
  ...{ address, data: '0x', ...at(6) },
  topics: encodeEventTopics({ abi: tokenAbi, eventName: 'AuthorizationUsed', args: { authorizer, nonce: NONCE } }),
})
const transfer: ToldLog = {
  ...{ address: target.token, data: toHex(20_000_000n, { size: 32 }), ...at(7) },
  topics: encodeEventTopics({ abi: tokenAbi, eventName: 'Transfer', args: { from: PAYER, to: target.hotWallet } }),
}

/** A node that logs one transfer, into the hot wallet, whose transaction has these logs. */
function nodeWith(moved: ToldLog, logs: readonly ToldLog[]): PublicClient {
  const request = async ({ method, params }: { method: string; params: [{ address: string; topics: unknown[] }] }) => {
    if (method === 'eth_getTransactionReceipt') return { logs: [...logs, moved] }
    const [{ address, topics }] = params
    // Of the three questions about logs, the one about inflows.
    return address === target.token && topics.length === 3 ? [moved] : []
  }
  return createPublicClient({ transport: custom({ request }) })
}

describe('the history that an audit reads', () => {
  const nonceBeside = async (log: ToldLog) => {
    const { transfers } = await readHistory(nodeWith(transfer, [log]), target)
    return transfers.map(({ authorizationNonce }) => authorizationNonce)
  }

  it('takes a transfer for signed, where the token used its payer’s authorization just before it', async () => {
    expect(await nonceBeside(used(PAYER))).to.deep.equal([NONCE])
  })

  it('takes it for unsigned, where that was another contract’s, another payer’s, or not just before it', async () => {
    expect(await nonceBeside(used(PAYER, STRANGER))).to.deep.equal([null])
    expect(await nonceBeside(used(STRANGER))).to.deep.equal([null])
    expect(await nonceBeside({ ...used(PAYER), logIndex: toHex(5) })).to.deep.equal([null])
  })

  it('is none where the node names a log without its transaction, its block or its place', async () => {
    for (const name of ['transactionHash', 'blockNumber', 'logIndex'] as const) {
      const read = readHistory(nodeWith({ ...transfer, [name]: null }, []), target)
      expect(String(await read.catch((error) => error)), name).to.include('a log that is not in a block')
    }
  })
})
