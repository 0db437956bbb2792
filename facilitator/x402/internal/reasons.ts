/**
 * Why a payment is refused, in x402's terms: those of its `exact` scheme on EVM chains if it has one, those
 * of its core specification for what cannot be parsed. `payment_not_on_file` is our own.
 */
export type Reason =
  | 'invalid_x402_version'
  | 'invalid_payload'
  | 'invalid_payment_requirements'
  | 'unsupported_payload_type'
  | 'invalid_exact_evm_scheme'
  | 'invalid_exact_evm_network_mismatch'
  | 'invalid_exact_evm_missing_eip712_domain'
  | 'invalid_exact_evm_token_name_mismatch'
  | 'invalid_exact_evm_token_version_mismatch'
  | 'invalid_exact_evm_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_signature'
  | 'eip6492_factory_not_allowed'
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_exact_evm_insufficient_balance'
  | 'invalid_exact_evm_transaction_simulation_failed'
  | 'invalid_exact_evm_transaction_failed'
  | 'payment_not_on_file'

/** What is wrong with a payment, and a sentence about it for people. */
export interface Fault {
  reason: Reason
  message: string
}

/** Returns a fault. */
export function fault(reason: Reason, message: string): Fault {
  return { reason, message }
}

// The pipeline's own names of refusals by the chain.
const REFUSALS: Record<string, Reason> = {
  authorization_used: 'invalid_exact_evm_nonce_already_used',
  authorization_expired: 'invalid_exact_evm_payload_authorization_valid_before',
  authorization_not_yet_valid: 'invalid_exact_evm_payload_authorization_valid_after',
  signature_invalid: 'invalid_exact_evm_signature',
  factory_not_allowed: 'eip6492_factory_not_allowed',
  insufficient_balance: 'invalid_exact_evm_insufficient_balance',
}

/** Returns a refusal of the pipeline in x402's terms: `otherwise` if x402 has none. */
export function refusalFault(refusal: string, otherwise: Reason): Fault {
  return fault(REFUSALS[refusal] ?? otherwise, `The chain does not take this payment: ${refusal}.`)
}
