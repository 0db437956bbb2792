import { type Address, type Hex, isAddressEqual } from 'viem'
import type { SignedAuthorization } from '../../protocol/authorization.ts'
import type { ChainContext } from '../context.ts'
import { summary } from '../summary.ts'
import type { Desk, Sight } from './desk.ts'
import type { FiledPayment } from './files.ts'
import { networkName, offerFault } from './offer.ts'
import { findOnFile, NOT_ON_FILE } from './onFile.ts'
import { type Fault, fault, refusalFault } from './reasons.ts'
import type { Presented } from './request.ts'
import { signatureFault } from './signed.ts'
import { proveUnpaid, readUse } from './standing.ts'

/** The answer of a settle call, as x402 has it. `settlement_pending` decides nothing: the same call again tells more. */
export interface SettleResponse {
  success: boolean
  errorReason?: string
  errorMessage?: string
  payer?: Address | undefined
  /** The hash, or nothing where there is none. */
  transaction: Hex | ''
  network: string
  amount?: string
}

type Settled = { kind: 'settled'; transaction: Hex } | { kind: 'failed'; fault: Fault } | { kind: 'pending' }
type Standing = Settled & { transaction?: Hex | undefined }

/**
 * Answers how the payment of an open order stands, waiting up to `waitMs` for it to be final. This sends nothing: what is
 * on file is sent by the pipeline, once, so that the same call always tells of the same transaction. Success is the
 * Transfer log at confirmed depth. Throws what the database throws, and what the RPC does while nothing was sent.
 */
export async function settle(desk: Desk, presented: Presented, waitMs: number): Promise<SettleResponse> {
  const { authorization } = presented
  const wrong = offerFault(desk, presented)
  if (wrong) return failure(desk, wrong, authorization.from)
  const filed = await findOnFile(desk.files, authorization)
  if (!filed) return failure(desk, NOT_ON_FILE, authorization.from)
  try {
    // The one on file was checked when it was taken, and a wallet may have changed its owners since.
    const isOnFile = filed.intent.authorization.signature.toLowerCase() === authorization.signature
    const unsigned = isOnFile ? undefined : await signatureFault(desk, authorization)
    if (unsigned) return failure(desk, unsigned, authorization.from)
    return answer(desk, authorization, await untilFinal(desk, authorization, performance.now() + waitMs))
  } catch (error) {
    const transaction = (await findOnFile(desk.files, authorization))?.transactions[0]
    if (!transaction) throw error
    desk.log.warn({ error: summary(error), transaction }, 'x402: a payment cannot be looked at')
    return answer(desk, authorization, { kind: 'pending', transaction })
  }
}

/** The answer for a payment that does not settle. */
export function failure(
  context: Pick<ChainContext, 'at'>,
  { reason, message }: Fault,
  payer?: Address,
): SettleResponse {
  const network = networkName(context)
  return { success: false, errorReason: reason, errorMessage: message, transaction: '', network, payer }
}

function answer(desk: Desk, { from: payer, value }: SignedAuthorization, standing: Standing): SettleResponse {
  const network = networkName(desk)
  const transaction = standing.transaction ?? ''
  switch (standing.kind) {
    case 'settled':
      return { success: true, transaction, network, payer, amount: value.toString() }
    case 'failed':
      return { ...failure(desk, standing.fault, payer), transaction }
    case 'pending':
      return { success: false, errorReason: 'settlement_pending', transaction, network, payer }
  }
}

async function untilFinal(desk: Desk, authorization: SignedAuthorization, deadlineMs: number): Promise<Standing> {
  for (;;) {
    // The file before the chain: what the file tells of, this look at the chain shows.
    const filed = await findOnFile(desk.files, authorization)
    const head = await desk.heads.read()
    const standing = await standingOf({ ...desk, head }, authorization, filed)
    if (standing.kind !== 'pending' || !(await desk.heads.after(head, deadlineMs))) return standing
  }
}

async function standingOf(
  sight: Sight,
  authorization: SignedAuthorization,
  filed: FiledPayment | undefined,
): Promise<Standing> {
  const { to, value, validBefore } = authorization
  const used = await readUse(sight, authorization, filed?.transactions)
  if (used) {
    const { transaction, payment } = used.use ?? {}
    if (!used.isFinal) return { kind: 'pending', transaction }
    if (transaction && payment && isAddressEqual(payment.to, to) && payment.amountMicros === value) {
      return { kind: 'settled', transaction }
    }
    const message = 'This authorization was cancelled, or its nonce used for something else.'
    return { kind: 'failed', fault: fault('invalid_exact_evm_nonce_already_used', message), transaction }
  }
  if (await proveUnpaid(sight, authorization, validBefore)) {
    const message = `It was not used, and its validity ended at ${validBefore}.`
    return { kind: 'failed', fault: fault('invalid_exact_evm_payload_authorization_valid_before', message) }
  }
  return unspentStanding(filed)
}

function unspentStanding(filed: FiledPayment | undefined): Standing {
  const { outcome, closing, transactions: [transaction] = [] } = filed ?? {}
  // The node that said so knows of a use that this look at the chain does not show yet.
  const isContradicted = outcome?.status === 'confirmed' || outcome?.reason === 'authorization_used'
  if (outcome && !isContradicted) {
    return { kind: 'failed', fault: refusalFault(outcome.reason ?? '', 'invalid_exact_evm_transaction_failed') }
  }
  if (closing && closing !== 'settled' && !transaction) return { kind: 'failed', fault: NOT_ON_FILE }
  return { kind: 'pending', transaction }
}
