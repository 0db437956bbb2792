import type { Address } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import { isSpent } from '../../evidence/authorizationUsage.ts'
import { simulate } from '../../evidence/simulate.ts'
import { decideDeposit } from '../../intents/deposit.ts'
import { decideFund } from '../../intents/fund.ts'
import type { ChainView, X402Context } from './context.ts'
import type { FiledPayment } from './files.ts'
import { offerFault } from './offer.ts'
import { findOnFile, NOT_ON_FILE } from './onFile.ts'
import { type Fault, fault, refusalFault } from './reasons.ts'
import type { Presented } from './request.ts'
import { signatureFault } from './signed.ts'

/** The remaining validity, in chain time, that a transaction needs to be mined in time. */
const MIN_VALIDITY_SECONDS = 6n

/** The answer of a verify call in x402's form. */
export interface VerifyResponse {
  isValid: boolean
  invalidReason?: string
  invalidMessage?: string
  payer?: Address
}

/**
 * Returns whether a settle call would move exactly this payment now: checks everything, including a
 * simulation of the same call. Throws any error of the RPC and the database: then nothing is known.
 */
export async function verify(context: X402Context, presented: Presented): Promise<VerifyResponse> {
  const payer = presented.authorization.from
  const found = await solvencyFault({ ...context, head: await context.heads.read() }, presented)
  return found ? invalid(found, payer) : { isValid: true, payer }
}

/** Returns the answer for a payment with a fault. */
export function invalid({ reason, message }: Fault, payer?: Address): VerifyResponse {
  return { isValid: false, invalidReason: reason, invalidMessage: message, ...(payer && { payer }) }
}

async function solvencyFault(view: ChainView, presented: Presented): Promise<Fault | undefined> {
  const { authorization } = presented
  return (
    offerFault(view, presented) ??
    timeFault(view, authorization) ??
    (await signatureFault(view, authorization)) ??
    (await tokenFault(view, authorization)) ??
    (await fileFault(view, authorization))
  )
}

function timeFault({ head }: ChainView, { validAfter, validBefore }: SignedAuthorization): Fault | undefined {
  const now = head.latest.timestamp
  if (validBefore < now + MIN_VALIDITY_SECONDS) {
    const message = `It ends at ${validBefore}; now is ${now}, and ${MIN_VALIDITY_SECONDS} seconds must be left.`
    return fault('invalid_exact_evm_payload_authorization_valid_before', message)
  }
  if (validAfter > now) {
    const message = `It becomes valid at ${validAfter}, and now is ${now}.`
    return fault('invalid_exact_evm_payload_authorization_valid_after', message)
  }
  return undefined
}

async function tokenFault(view: ChainView, { from, nonce, value }: SignedAuthorization): Promise<Fault | undefined> {
  const { client, at, head } = view
  const { hash: blockHash } = head.latest
  if (await isSpent(view, from, nonce, head.latest)) {
    return fault('invalid_exact_evm_nonce_already_used', 'This authorization was used or cancelled.')
  }
  const token = { address: at.token, abi: tokenAbi, blockHash } as const
  const balance = await client.readContract({ ...token, functionName: 'balanceOf', args: [from] })
  if (balance >= value) return undefined
  return fault('invalid_exact_evm_insufficient_balance', `${from} has ${balance}, and ${value} is asked for.`)
}

async function fileFault(view: ChainView, authorization: SignedAuthorization): Promise<Fault | undefined> {
  const filed = await findOnFile(view.files, authorization)
  if (!filed || filed.closing) return NOT_ON_FILE
  const refusal = await refusalOf(view, filed)
  return refusal === undefined ? undefined : refusalFault(refusal, 'invalid_exact_evm_transaction_simulation_failed')
}

/** Returns why the pipeline would not send it now, by its own checks. */
async function refusalOf(view: ChainView, { intent, outcome }: FiledPayment): Promise<string | undefined> {
  if (outcome) return outcome.reason ?? outcome.status
  const decision = intent.kind === 'fund' ? await decideFund(view, intent) : await decideDeposit(view, intent)
  const [from = view.at.hotWallet] = view.submitters
  const ending = decision.kind === 'send' ? await simulate(view, decision.call, from) : decision
  if (typeof ending === 'bigint') return undefined
  return ending.kind === 'wait' ? ending.reason : (ending.outcome.reason ?? ending.outcome.status)
}
