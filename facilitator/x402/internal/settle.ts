import { type Address, type Hex, isAddressEqual } from 'viem'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import type { ChainContext } from '../../context/chain.ts'
import { summary } from '../../context/summary.ts'
import type { ChainView, X402Context } from './context.ts'
import type { FiledPayment } from './files.ts'
import { networkName, offerFault } from './offer.ts'
import { findOnFile, NOT_ON_FILE } from './onFile.ts'
import { type Fault, fault, refusalFault } from './reasons.ts'
import type { Presented } from './request.ts'
import { signatureFault } from './signed.ts'
import { proveUnpaid, readUse } from './usage.ts'

/** The answer of a settle call in x402's form. `settlement_pending` is not final: repeat the same call. */
export interface SettleResponse {
  success: boolean
  errorReason?: string
  errorMessage?: string
  payer?: Address | undefined
  /** The hash, or empty if there is none. */
  transaction: Hex | ''
  network: string
  amount?: string
}

type Settled = { kind: 'settled'; transaction: Hex } | { kind: 'failed'; fault: Fault } | { kind: 'pending' }
type Standing = Settled & { transaction?: Hex | undefined }

/**
 * Returns the state of an open order's payment, waiting up to `waitMs` for it to be final. Sends nothing: the
 * pipeline sends what is on file, once, so that repeated calls report the same transaction. Success is the
 * Transfer log at confirmed depth. Throws any error of the database, and of the RPC while nothing was sent.
 */
export async function settle(context: X402Context, presented: Presented, waitMs: number): Promise<SettleResponse> {
  const { authorization } = presented
  const wrong = offerFault(context, presented)
  if (wrong) return failure(context, wrong, authorization.from)
  const filed = await findOnFile(context.files, authorization)
  if (!filed) return failure(context, NOT_ON_FILE, authorization.from)
  try {
    // The signature on file was checked when it was accepted, and a wallet may have changed its owners since.
    const isOnFile = filed.intent.authorization.signature.toLowerCase() === authorization.signature
    const unsigned = isOnFile ? undefined : await signatureFault(context, authorization)
    if (unsigned) return failure(context, unsigned, authorization.from)
    return answer(context, authorization, await untilFinal(context, authorization, performance.now() + waitMs))
  } catch (error) {
    const transaction = (await findOnFile(context.files, authorization))?.transactions[0]
    if (!transaction) throw error
    context.log.warn({ error: summary(error), transaction }, 'x402: a payment cannot be looked at')
    return answer(context, authorization, { kind: 'pending', transaction })
  }
}

/** Returns the answer for a payment that does not settle. */
export function failure(
  context: Pick<ChainContext, 'at'>,
  { reason, message }: Fault,
  payer?: Address,
): SettleResponse {
  const network = networkName(context)
  return { success: false, errorReason: reason, errorMessage: message, transaction: '', network, payer }
}

function answer(context: X402Context, { from: payer, value }: SignedAuthorization, standing: Standing): SettleResponse {
  const network = networkName(context)
  const transaction = standing.transaction ?? ''
  switch (standing.kind) {
    case 'settled':
      return { success: true, transaction, network, payer, amount: value.toString() }
    case 'failed':
      return { ...failure(context, standing.fault, payer), transaction }
    case 'pending':
      return { success: false, errorReason: 'settlement_pending', transaction, network, payer }
  }
}

async function untilFinal(
  context: X402Context,
  authorization: SignedAuthorization,
  deadlineMs: number,
): Promise<Standing> {
  for (;;) {
    // The file is read before the chain, so that this head shows whatever the file reports.
    const filed = await findOnFile(context.files, authorization)
    const head = await context.heads.read()
    const standing = await standingOf({ ...context, head }, authorization, filed)
    if (standing.kind !== 'pending' || !(await context.heads.after(head, deadlineMs))) return standing
  }
}

async function standingOf(
  view: ChainView,
  authorization: SignedAuthorization,
  filed: FiledPayment | undefined,
): Promise<Standing> {
  const { to, value, validBefore } = authorization
  const used = await readUse(view, authorization, filed?.transactions)
  if (used) {
    const { transaction, payment } = used.use ?? {}
    if (!used.isFinal) return { kind: 'pending', transaction }
    if (transaction && payment && isAddressEqual(payment.to, to) && payment.amountMicros === value) {
      return { kind: 'settled', transaction }
    }
    const message = 'This authorization was cancelled, or its nonce used for something else.'
    return { kind: 'failed', fault: fault('invalid_exact_evm_nonce_already_used', message), transaction }
  }
  if (await proveUnpaid(view, authorization, validBefore)) {
    const message = `It was not used, and its validity ended at ${validBefore}.`
    return { kind: 'failed', fault: fault('invalid_exact_evm_payload_authorization_valid_before', message) }
  }
  return unspentStanding(filed)
}

function unspentStanding(filed: FiledPayment | undefined): Standing {
  const { outcome, closing, transactions: [transaction] = [] } = filed ?? {}
  // The outcome on file comes from a node that had a use of the nonce that this head does not show yet.
  const isContradicted = outcome?.status === 'confirmed' || outcome?.reason === 'authorization_used'
  if (outcome && !isContradicted) {
    return { kind: 'failed', fault: refusalFault(outcome.reason ?? '', 'invalid_exact_evm_transaction_failed') }
  }
  if (closing && closing !== 'settled' && !transaction) return { kind: 'failed', fault: NOT_ON_FILE }
  return { kind: 'pending', transaction }
}
