import { type Address, type Hex, isAddressEqual } from 'viem'
import type { ChainView, X402Context } from './context.ts'
import type { FiledPayment } from './files.ts'
import { networkName } from './offer.ts'
import { proveUnpaid, readUse, type Use } from './usage.ts'

/**
 * The state of a payment. `paid`, `cancelled`, `spent_elsewhere` and `unpaid_proven` are final, each proved
 * by the chain at confirmed depth; `pending` may become any of them. `unspent`: neither the file nor the
 * caller gives the validity of such an authorization, so nothing can be proved.
 */
export type PaymentState = 'paid' | 'cancelled' | 'spent_elsewhere' | 'unpaid_proven' | 'pending' | 'unspent'

/**
 * The query: the token's identity of an authorization, and its expiry (unix seconds) if the caller knows it.
 */
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

/**
 * Returns the state of a payment from the chain alone; our files contribute only what was sent and until when
 * it can be paid.
 */
export async function paymentStatus(context: X402Context, question: PaymentQuestion) {
  const filed = await context.files.find(question)
  const view = { ...context, head: await context.heads.read() }
  const validBefore = lastValidity(question, filed)
  const { state, transaction, use, proof } = await findState(view, question, filed, validBefore)
  return {
    state,
    network: networkName(context),
    token: context.at.token,
    from: question.from,
    nonce: question.nonce,
    on_file: filed.length > 0,
    valid_before: validBefore === undefined ? null : Number(validBefore),
    transaction: transaction ?? use?.transaction ?? null,
    evidence: use ? describeUse(view, use) : null,
    proof: proof ?? null,
  }
}

/** Returns the latest expiry known to be signed under this nonce: before it nothing is proved. */
function lastValidity({ validBefore }: PaymentQuestion, filed: readonly FiledPayment[]): bigint | undefined {
  const ends = filed.map(({ intent }) => intent.authorization.validBefore)
  if (validBefore !== undefined) ends.push(validBefore)
  return ends.reduce<bigint | undefined>((last, end) => (last === undefined || end > last ? end : last), undefined)
}

async function findState(
  view: ChainView,
  question: PaymentQuestion,
  filed: readonly FiledPayment[],
  validBefore: bigint | undefined,
): Promise<Finding> {
  const transactions = filed.flatMap((payment) => payment.transactions)
  const used = await readUse(view, question, transactions)
  if (used) return { state: used.isFinal ? finalState(view, used.use, filed) : 'pending', use: used.use }
  const [transaction] = transactions
  if (validBefore === undefined) return { state: 'unspent' }
  const proof = await proveUnpaid(view, question, validBefore)
  if (!proof) return { state: 'pending', transaction }
  return {
    state: 'unpaid_proven',
    proof: {
      authorization_state: false,
      block_number: Number(proof.blockNumber),
      block_hash: proof.blockHash,
      block_timestamp: Number(proof.blockTimestamp),
      confirmations: Number(view.head.latest.number - proof.blockNumber),
    },
  }
}

/** A payment counts as paid if it reached us; one on file, only if it is exactly as required. */
function finalState({ at }: ChainView, use: Use | undefined, filed: readonly FiledPayment[]): PaymentState {
  if (use?.event === 'AuthorizationCanceled') return 'cancelled'
  const payment = use?.payment
  if (!payment) return 'spent_elsewhere'
  const isAskedFor = ({ intent: { authorization } }: FiledPayment) =>
    isAddressEqual(authorization.to, payment.to) && authorization.value === payment.amountMicros
  const isOurs = isAddressEqual(payment.to, at.hotWallet) || isAddressEqual(payment.to, at.escrow)
  return (filed.length > 0 ? filed.some(isAskedFor) : isOurs) ? 'paid' : 'spent_elsewhere'
}

function describeUse({ head }: ChainView, { event, transaction, blockNumber, blockHash, logIndex, payment }: Use) {
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
