import { describe, it } from 'node:test'
import { expect } from 'chai'
import { createPublicClient, custom, type Hex, numberToHex, pad, padHex, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Pass } from '../../../facilitator/evidence/pass.ts'
import { distributionOf } from '../../../facilitator/proof/distribution.ts'
import { objectionToDistribution } from '../../../facilitator/proof/releaseGate.ts'
import { orderKey, termsHash } from '../../../protocol/payments/terms.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../../../protocol/rpc/topics.ts'

const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const address = (seed: number) => privateKeyToAddress(hash(seed))
const at = { chainId: 7, escrow: address(1), token: address(2), hotWallet: address(3), startBlock: 0n }
const [payer, payee, feeRecipient, txHash] = [address(4), address(5), address(6), hash(7)]
const orderId = '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6c'
const [PAID_AT, WINDOW, PRICE] = [1_800_000_000n, 3_600, 20_000_000n]
const END = PAID_AT + BigInt(WINDOW)
const terms = {
  ...{ order: orderKey(orderId), payee, amount: PRICE, feeRecipient, feeBps: 0 },
  ...{ fundBy: Number(PAID_AT), expiry: Number(PAID_AT) + 86_400 },
}
const [PAID_IN, CONFIRMED, LATEST] = [10n, 90n, 95n]

describe('a distribution that claims that a window has elapsed', () => {
  const block = (number: bigint) => ({ number: numberToHex(number), hash: hash(Number(number)) })
  const words = (...values: Hex[]) => ({ topics: values, address: at.token, transactionHash: txHash })
  const log = (logIndex: number, topics: Hex[], data: Hex) => ({
    ...words(...topics),
    ...{ data, logIndex: toHex(logIndex), blockNumber: numberToHex(PAID_IN), blockHash: hash(Number(PAID_IN)) },
    ...{ transactionIndex: '0x0', removed: false },
  })
  /** A node on which the payer paid the contract at `PAID_AT`. */
  const client = createPublicClient({
    transport: custom({
      request: async ({ method, params }: { method: string; params?: unknown[] }) => {
        if (method === 'eth_call') return pad('0x1')
        if (method === 'eth_getBlockByNumber')
          return { ...block(BigInt(params?.[0] as Hex)), timestamp: toHex(PAID_AT), transactions: [] }
        if (method !== 'eth_getTransactionReceipt') throw new Error(`nobody asks for ${method}`)
        const nonce = termsHash(at, terms)
        const logs = [
          log(0, [AUTHORIZATION_USED, pad(payer).toLowerCase() as Hex, nonce], '0x'),
          log(1, [TRANSFER, pad(payer).toLowerCase() as Hex, pad(at.escrow).toLowerCase() as Hex], pad(toHex(PRICE))),
        ]
        const { number: blockNumber, hash: blockHash } = block(PAID_IN)
        return { transactionHash: txHash, status: '0x1', blockNumber, blockHash, logs, type: '0x2' }
      },
    }),
    cacheTime: 0,
  })
  const release = distributionOf(at, {
    ...{ kind: 'release', terms, payer, recipients: [payee], amounts: [PRICE] },
    evidence: { orderId, refund: 0n, payment: PRICE, approvals: [], elapsed: { seconds: WINDOW, txHash } },
  })
  /** What is said at a head whose confirmed and newest block, and the database, have these times. */
  const objection = (times: { confirmed: bigint; latest: bigint; database: bigint }) => {
    const [confirmed, latest] = [
      { number: CONFIRMED, hash: hash(90), timestamp: times.confirmed },
      { number: LATEST, hash: hash(95), timestamp: times.latest, baseFeePerGas: 0n },
    ]
    const inOrder = (one: bigint, other: bigint) => Number(one - other)
    const [earlierTime] = [times.confirmed, times.database].toSorted(inOrder)
    const [, laterTime] = [times.latest, times.database].toSorted(inOrder)
    const head = { confirmed, latest, earlierTime, laterTime, isBehind: false }
    return objectionToDistribution(
      { client, at, head, limits: { releaseDelaySeconds: 0n } } as unknown as Pass,
      release,
    )
  }

  it('waits until the window is over at the confirmed block, whatever the newest one says', async () => {
    const waits = { kind: 'wait', reason: 'window_open', until: END }
    const times = { confirmed: END - 1n, latest: END + 60n, database: END + 60n }
    expect(await objection(times)).to.deep.equal(waits)
    expect(await objection({ ...times, confirmed: END })).to.equal(undefined)
  })

  it('waits until the window is over by the database’s clock too', async () => {
    const times = { confirmed: END, latest: END + 60n, database: END - 1n }
    expect(await objection(times)).to.deep.include({ reason: 'window_open' })
    expect(await objection({ ...times, database: END })).to.equal(undefined)
  })
})
