import { type Hex, type Log, numberToHex, pad } from 'viem'
import { parseAmount } from '../../../protocol/encoding/amounts.ts'
import { parseUrn } from '../../../protocol/encoding/urn.ts'
import { appealFeeNonce, appealKey } from '../../../protocol/payments/nonces.ts'
import type { VerdictDocument } from '../../../protocol/records/verdict.ts'
import { firstBlockAt } from '../../../protocol/rpc/firstBlock.ts'
import { isMined, type MinedLog, readLogs } from '../../../protocol/rpc/logs.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../../../protocol/rpc/topics.ts'
import type { Pass } from '../../evidence/pass.ts'
import { checkPayment, type StatedPayment } from '../../evidence/payments.ts'

/** Block timestamps and the clock that dates verdicts may differ by this much. */
const CLOCK_SKEW_SECONDS = 3_600n
/** Payers in one query: nodes limit the values of a topic. */
const PAYERS_AT_ONCE = 100

type Appealed = Pick<VerdictDocument, 'party_a' | 'party_b' | 'price' | 'decided_at'>

/**
 * Returns whether the fee of an appeal against a verdict was paid into the hot wallet, by any wallet. The
 * service's rows only name the amounts of fees: the nonce of a fee is derived from the dispute, the party and
 * the amount, and the chain shows its payment. So a row without a payment removes no proof, and no fee below
 * the least one counts. Throws any error of the RPC.
 */
export async function isAppealPaid(pass: Pass, disputeId: string, verdict: Appealed): Promise<boolean> {
  const amounts = await feesOf(pass, disputeId, verdict)
  if (amounts.size === 0) return false
  const { client, head, at } = pass
  const decidedAt = BigInt(Math.floor(Date.parse(verdict.decided_at) / 1_000))
  const range = { fromBlock: at.startBlock, toBlock: head.latest.number }
  const fromBlock = await firstBlockAt(client, range, decidedAt - CLOCK_SKEW_SECONDS)
  const used = { address: at.token, topics: [AUTHORIZATION_USED, null, [...amounts.keys()]], fromBlock }
  const uses = (await readLogs(client, { ...used, toBlock: range.toBlock })).filter(isMined)
  // Anybody can use the nonce, for a payment of any amount to anybody: only the payments of a fee are checked
  // one by one.
  for (let start = 0; start < uses.length; start += PAYERS_AT_ONCE)
    for (const payment of await paymentsBy(pass, uses.slice(start, start + PAYERS_AT_ONCE), amounts))
      if ((await checkPayment(pass, payment, at.hotWallet)) !== 'false') return true
  return false
}

/** Returns the amount of each fee that the parties of a dispute can have paid, by its nonce in lower case. */
async function feesOf({ store, at, limits }: Pass, disputeId: string, verdict: Appealed): Promise<Map<Hex, bigint>> {
  const parties = [verdict.party_a, verdict.party_b].map((party) => parseUrn('agent', party))
  const price = parseAmount(verdict.price)
  const fees = new Map<Hex, bigint>()
  if (price === undefined) return fees
  for (const amount of await store.appealFees(disputeId))
    for (const appellantId of parties)
      if (appellantId !== undefined && (amount >= limits.minAppealFeeMicros || amount >= price))
        fees.set(appealFeeNonce(at, appealKey({ disputeId, appellantId }), amount), amount)
  return fees
}

/**
 * Returns the payments of a fee to the hot wallet among the uses of its nonce. The node has said so, in its
 * logs alone.
 */
async function paymentsBy(
  { client, at }: Pass,
  uses: readonly MinedLog[],
  amounts: ReadonlyMap<Hex, bigint>,
): Promise<StatedPayment[]> {
  const [first, last] = [uses[0], uses.at(-1)]
  if (!first || !last) return []
  const payers = [...new Set(uses.map(({ topics }) => topics[1] ?? '0x'))]
  const topics = [TRANSFER, payers, pad(at.hotWallet).toLowerCase() as Hex]
  const range = { fromBlock: first.blockNumber, toBlock: last.blockNumber }
  const transfers = await readLogs(client, { address: at.token, topics, ...range })
  return uses.flatMap(({ topics: [, payer = '0x', nonce = '0x'], transactionHash: txHash, logIndex }) => {
    const amount = amounts.get(nonce)
    const isTransfer = ({ data, ...log }: Log) =>
      amount !== undefined &&
      log.transactionHash === txHash &&
      log.logIndex === logIndex + 1 &&
      log.topics[1] === payer &&
      data === numberToHex(amount, { size: 32 })
    return amount !== undefined && transfers.some(isTransfer)
      ? [{ from: `0x${payer.slice(-40)}` as const, nonce, amount, txHash }]
      : []
  })
}
