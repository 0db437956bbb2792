import type { Address } from 'viem'
import { tokenAbi } from '../../protocol/abi/token.ts'
import type { SignedAuthorization } from '../../protocol/authorization.ts'
import { decideDeposit } from '../intents/deposit.ts'
import { decideFund } from '../intents/fund.ts'
import { simulate } from '../simulate.ts'
import { isSpent } from '../uses.ts'
import type { Desk, Sight } from './desk.ts'
import type { FiledPayment } from './files.ts'
import { offerFault } from './offer.ts'
import { findOnFile, NOT_ON_FILE } from './onFile.ts'
import { type Fault, fault, refusalFault } from './reasons.ts'
import type { Presented } from './request.ts'
import { signatureFault } from './signed.ts'

/** As long must be left of a validity, by the chain's time, for a transaction to be mined within it. */
const MIN_VALIDITY_SECONDS = 6n

/** The answer of a verify call, as x402 has it. */
export interface VerifyResponse {
  isValid: boolean
  invalidReason?: string
  invalidMessage?: string
  payer?: Address
}

/**
 * Says whether a settle call would move exactly this payment now: everything about it is checked, down to a simulation
 * of the very call. Throws what the RPC and the database throw: then nothing is known of it.
 */
export async function verify(desk: Desk, presented: Presented): Promise<VerifyResponse> {
  const payer = presented.authorization.from
  const found = await findFault({ ...desk, head: await desk.heads.read() }, presented)
  return found ? invalid(found, payer) : { isValid: true, payer }
}

/** The answer for a payment with a fault. */
export function invalid({ reason, message }: Fault, payer?: Address): VerifyResponse {
  return { isValid: false, invalidReason: reason, invalidMessage: message, ...(payer && { payer }) }
}

async function findFault(sight: Sight, presented: Presented): Promise<Fault | undefined> {
  const { authorization } = presented
  return (
    offerFault(sight, presented) ??
    timeFault(sight, authorization) ??
    (await signatureFault(sight, authorization)) ??
    (await tokenFault(sight, authorization)) ??
    (await fileFault(sight, authorization))
  )
}

function timeFault({ head }: Sight, { validAfter, validBefore }: SignedAuthorization): Fault | undefined {
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

async function tokenFault(sight: Sight, { from, nonce, value }: SignedAuthorization): Promise<Fault | undefined> {
  const { client, at, head } = sight
  const { hash: blockHash } = head.latest
  if (await isSpent(sight, from, nonce, head.latest)) {
    return fault('invalid_exact_evm_nonce_already_used', 'This authorization was used or cancelled.')
  }
  const token = { address: at.token, abi: tokenAbi, blockHash } as const
  const balance = await client.readContract({ ...token, functionName: 'balanceOf', args: [from] })
  if (balance >= value) return undefined
  return fault('invalid_exact_evm_insufficient_balance', `${from} has ${balance}, and ${value} is asked for.`)
}

async function fileFault(sight: Sight, authorization: SignedAuthorization): Promise<Fault | undefined> {
  const filed = await findOnFile(sight.files, authorization)
  if (!filed || filed.closing) return NOT_ON_FILE
  const refusal = await refusalOf(sight, filed)
  return refusal === undefined ? undefined : refusalFault(refusal, 'invalid_exact_evm_transaction_simulation_failed')
}

/** Why the pipeline would not send it now, by its own checks. */
async function refusalOf(sight: Sight, { intent, outcome }: FiledPayment): Promise<string | undefined> {
  if (outcome) return outcome.reason ?? outcome.status
  const decision = intent.kind === 'fund' ? await decideFund(sight, intent) : await decideDeposit(sight, intent)
  const [from = sight.at.hotWallet] = sight.submitters
  const ending = decision.kind === 'send' ? await simulate(sight, decision.call, from) : decision
  if (typeof ending === 'bigint') return undefined
  return ending.kind === 'wait' ? ending.reason : (ending.outcome.reason ?? ending.outcome.status)
}
