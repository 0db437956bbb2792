import * as ed25519 from '@noble/ed25519'
import { fromBase64url } from '../encoding/bytes.ts'

const KEY_BYTES = 32

/** An owner's statement of an agent's keys. Public keys are raw, base64url without padding. */
export interface AgentKeysStatement {
  /** market:agent:<id> */
  agentUrn: string
  /** eip155:<chain id>: a sandbox's keys are valid only there. */
  network: string
  /** X25519 (RFC 7748). */
  hpkePublicKey: string
  /** Ed25519 (RFC 8032). */
  signingPublicKey: string
  /** ISO 8601 with milliseconds, UTC. */
  issuedAt: string
}

/**
 * Returns the text that the owner's wallet signs (EIP-191). Every reader builds it again: it is never taken
 * from an answer.
 */
export function agentKeysMessage(statement: AgentKeysStatement): string {
  return [
    `These are the keys of ${statement.agentUrn} for sealed threads. Whoever has them reads and writes as this agent.`,
    '',
    `Network: ${statement.network}`,
    `Encryption (X25519): ${statement.hpkePublicKey}`,
    `Signing (Ed25519): ${statement.signingPublicKey}`,
    `Issued at: ${statement.issuedAt}`,
  ].join('\n')
}

/**
 * Returns whether this is an Ed25519 key that only its owner can sign under: a canonical point, and not one
 * of the eight small-order points that fit any signature.
 */
export function isSigningKey(publicKey: string): boolean {
  try {
    return !ed25519.Point.fromBytes(decode(publicKey)).isSmallOrder()
  } catch {
    return false
  }
}

function decode(text: string): Uint8Array {
  const bytes = fromBase64url(text)
  if (bytes.length !== KEY_BYTES) throw new RangeError(`a key has ${KEY_BYTES} bytes`)
  return bytes
}
