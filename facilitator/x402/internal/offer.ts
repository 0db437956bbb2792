import { isAddressEqual } from 'viem'
import type { ChainContext } from '../../context/chain.ts'
import { type Fault, fault } from './reasons.ts'
import type { Presented, Requirements } from './request.ts'

/** The one scheme we settle. */
export const SCHEME = 'exact'

/** Returns the chain's name in x402 (CAIP-2). */
export function networkName({ at }: Pick<ChainContext, 'at'>): string {
  return `eip155:${at.chainId}`
}

/**
 * Returns what is wrong with a payment by itself, before the chain is read: another scheme, network, token or
 * recipient than ours, or an authorization that differs from the requirements.
 */
export function offerFault(context: ChainContext, { requirements, accepted, authorization }: Presented) {
  return (
    requirementsFault(context, requirements) ??
    requirementsFault(context, accepted) ??
    domainFault(context, requirements) ??
    amountFault(requirements, accepted, authorization)
  )
}

function requirementsFault(context: ChainContext, { scheme, network, asset, payTo }: Requirements): Fault | undefined {
  const { at } = context
  if (scheme !== SCHEME) return fault('invalid_exact_evm_scheme', `The scheme must be ${SCHEME}.`)
  if (network !== networkName(context)) {
    return fault('invalid_exact_evm_network_mismatch', `The network must be ${networkName(context)}.`)
  }
  if (!isAddressEqual(asset, at.token)) {
    return fault('invalid_payment_requirements', `The asset must be ${at.token}.`)
  }
  if (![at.hotWallet, at.escrow].some((ours) => isAddressEqual(ours, payTo))) {
    return fault('invalid_exact_evm_recipient_mismatch', `payTo must be ${at.hotWallet} or ${at.escrow}.`)
  }
  return undefined
}

function domainFault({ domain }: ChainContext, { extra }: Requirements): Fault | undefined {
  if (!extra?.name || !extra.version) {
    return fault('invalid_exact_evm_missing_eip712_domain', 'extra must hold the name and version of the token.')
  }
  if (extra.name !== domain.name) {
    return fault('invalid_exact_evm_token_name_mismatch', `extra.name must be ${domain.name}.`)
  }
  if (extra.version !== domain.version) {
    return fault('invalid_exact_evm_token_version_mismatch', `extra.version must be ${domain.version}.`)
  }
  return undefined
}

function amountFault(
  requirements: Requirements,
  accepted: Requirements,
  authorization: Presented['authorization'],
): Fault | undefined {
  if (![accepted.payTo, authorization.to].every((to) => isAddressEqual(to, requirements.payTo))) {
    return fault('invalid_exact_evm_recipient_mismatch', `The recipient must be ${requirements.payTo}.`)
  }
  if (accepted.amount !== requirements.amount || authorization.value !== requirements.amount) {
    const message = `The value must be exactly ${requirements.amount}.`
    return fault('invalid_exact_evm_payload_authorization_value_mismatch', message)
  }
  return undefined
}
