import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Desk, Sight } from './desk.ts'
import type { FiledPayment } from './files.ts'
import { networkName } from './offer.ts'
import { proveUnpaid, readUse, type Use } from './standing.ts'

/**
 * What has become of a payment. `paid`, `cancelled`, `spent_elsewhere` and `unpaid_proven` are final, and each is shown
 * by what the chain says at confirmed depth; `pending` may become any of them. `unspent`: nothing on file and nothing
 * the caller said tells how long such an authorization is valid, so nothing can be proved of it.
 */
export type PaymentState = 'paid' | 'cancelled' | 'spent_elsewhere' | 'unpaid_proven' | 'pending' | 'unspent'

/** The question: an authorization as the token names it, and its end (unix seconds) where the caller knows it. */
export interface PaymentQuestion {
  from: Address
  nonce: Hex
  validBefore?: bigint | undefined
}

interface Finding {
  state: PaymentState
  transaction?: Hex | undefined
  use?: Use | undefined
  proof?: object
}

/** Answers for a payment from the chain alone; from our files only what was sent and until when it can still be paid. */
export async function paymentStatus(desk: Desk, question: PaymentQuestion) {
  const filed = await desk.files.find(question)
  const sight = { ...desk, head: await desk.heads.read() }
  const validBefore = lastValidity(question, filed)
  const { state, transaction, use, proof } = await findState(sight, question, filed, validBefore)
  return {
    state,
    network: networkName(desk),
    token: desk.at.token,
    from: question.from,
    nonce: question.nonce,
    on_file: filed.length > 0,
    valid_before: validBefore === undefined ? null : Number(validBefore),
    transaction: transaction ?? use?.transaction ?? null,
    evidence: use ? describeUse(sight, use) : null,
    proof: proof ?? null,
  }
}

/** The end of the last that is known to be signed under this nonce: before it nothing is proved. */
function lastValidity({ validBefore }: PaymentQuestion, filed: readonly FiledPayment[]): bigint | undefined {
  const ends = filed.map(({ intent }) => intent.authorization.validBefore)
  if (validBefore !== undefined) ends.push(validBefore)
  return ends.reduce<bigint | undefined>((last, end) => (last === undefined || end > last ? end : last), undefined)
}

async function findState(
  sight: Sight,
  question: PaymentQuestion,
  filed: readonly FiledPayment[],
  validBefore: bigint | undefined,
): Promise<Finding> {
  const transactions = filed.flatMap((payment) => payment.transactions)
  const used = await readUse(sight, question, transactions)
  if (used) return { state: used.isFinal ? finalState(sight, used.use, filed) : 'pending', use: used.use }
  const [transaction] = transactions
  if (validBefore === undefined) return { state: 'unspent' }
  const proof = await proveUnpaid(sight, question, validBefore)
  if (!proof) return { state: 'pending', transaction }
  return {
    state: 'unpaid_proven',
    proof: {
      authorization_state: false,
      block_number: Number(proof.blockNumber),
      block_hash: proof.blockHash,
      block_timestamp: Number(proof.blockTimestamp),
      confirmations: Number(sight.head.latest.number - proof.blockNumber),
    },
  }
}

/** Paid is what reached us; of a payment on file, exactly what was asked for. */
function finalState({ at }: Sight, use: Use | undefined, filed: readonly FiledPayment[]): PaymentState {
  if (use?.event === 'AuthorizationCanceled') return 'cancelled'
  const payment = use?.payment
  if (!payment) return 'spent_elsewhere'
  const isAskedFor = ({ intent: { authorization } }: FiledPayment) =>
    isAddressEqual(authorization.to, payment.to) && authorization.value === payment.amountMicros
  const isOurs = isAddressEqual(payment.to, at.hotWallet) || isAddressEqual(payment.to, at.escrow)
  return (filed.length > 0 ? filed.some(isAskedFor) : isOurs) ? 'paid' : 'spent_elsewhere'
}

function describeUse({ head }: Sight, { event, transaction, blockNumber, blockHash, logIndex, payment }: Use) {
  return {
    event,
    transaction,
    block_number: Number(blockNumber),
    block_hash: blockHash,
    log_index: logIndex,
    confirmations: Number(head.latest.number - blockNumber),
    transfer: payment ? { to: payment.to, amount: payment.amountMicros.toString(), log_index: logIndex + 1 } : null,
  }
}
