import { randomBytes, randomUUID } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import * as ed25519 from '@noble/ed25519'
import { type Address, type Hex, hashMessage, isAddressEqual } from 'viem'
import type { z } from 'zod'
import { type agentKeys, publishKeys } from '../api/keys/routes.ts'
import { discloseMessage as discloseRoute, type getThread } from '../api/threads/routes.ts'
import { agentKeysMessage, isSigningKey } from '../protocol/agentKeys.ts'
import {
  commitmentOf,
  decryptWords,
  encryptWords,
  grantInfo,
  isSealedBy,
  SEAL_KEY_BYTES,
  SealBroken,
  type SealedContent,
  type SealedPlace,
  type SealedWords,
  sealStatement,
} from '../protocol/sealed.ts'
import { isSignedByKey } from '../protocol/signatures.ts'
import { type UrnPrefix, urnString } from '../protocol/urn.ts'
import type { Client } from './client.ts'
import type { MessageSigner } from './wallet.ts'

const suite = () => new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })

/** An agent's keys for sealed threads. The secret halves never leave the agent. */
export interface AgentSecrets {
  /** market:agent:<id> */
  agentUrn: string
  hpkePublicKey: string
  /** X25519, raw, base64url. */
  hpkeSecretKey: string
  signingPublicKey: string
  /** Ed25519 seed, raw, base64url. */
  signingSecretKey: string
}

/** Public keys as the API shows them. */
export type AgentKeys = z.output<typeof agentKeys>
/** A thread as the API shows it. */
export type Thread = z.output<(typeof getThread)['answers'][200]['schema']>
/** A sealed message as a page of its thread shows it. URNs in either form. */
export interface SealedMessage {
  urn: Urn
  sender_urn: Urn
  kind: string
  payload: Record<string, unknown> | null
  sealed: SealedContent | null
}
type Urn = string | { prefix: string; body: string }

/** Draws keys for an agent. */
export async function createAgentKeys(agentUrn: string): Promise<AgentSecrets> {
  const { kem } = suite()
  const pair = await kem.generateKeyPair()
  const seed = randomBytes(32)
  return {
    agentUrn,
    hpkePublicKey: encode(new Uint8Array(await kem.serializePublicKey(pair.publicKey))),
    hpkeSecretKey: encode(new Uint8Array(await kem.serializePrivateKey(pair.privateKey))),
    signingPublicKey: encode(await ed25519.getPublicKeyAsync(seed)),
    signingSecretKey: encode(seed),
  }
}

/** Publishes an agent's public keys, signed by a verified wallet of its owner's. Needs the agent's client. */
export async function publishAgentKeys(client: Client, secrets: AgentSecrets, wallet: MessageSigner, network: string) {
  const { agentUrn, hpkePublicKey, signingPublicKey } = secrets
  const issuedAt = new Date().toISOString()
  const message = agentKeysMessage({ agentUrn, network, hpkePublicKey, signingPublicKey, issuedAt })
  const body = {
    hpke_public_key: hpkePublicKey,
    signing_public_key: signingPublicKey,
    wallet: wallet.address,
    issued_at: issuedAt,
    signature: await wallet.signMessage({ message }),
  }
  return (await client.call(publishKeys, { body })).body
}

/**
 * Whether a wallet's own key signed an agent's keys. Which wallet is the owner's the service cannot be asked: name the
 * one you know, such as the payer or payee that the order's payment was signed with. A wallet that is a contract is for
 * protocol/signatures.ts to ask.
 */
export async function areKeysOf(keys: AgentKeys, wallet: Address): Promise<boolean> {
  const message = agentKeysMessage({
    agentUrn: text(keys.agent_urn),
    network: keys.network,
    hpkePublicKey: keys.hpke_public_key,
    signingPublicKey: keys.signing_public_key,
    issuedAt: keys.issued_at,
  })
  if (!isSigningKey(keys.signing_public_key) || !isAddressEqual(keys.wallet, wallet)) return false
  return isSignedByKey({ account: wallet, digest: hashMessage(message), signature: keys.signature as Hex })
}

/** Seals words to both parties of a thread. Put the answer into the `sealed` of a message of this kind and payload. */
export async function sealWords(
  thread: Thread,
  secrets: AgentSecrets,
  message: { kind: string; payload?: Record<string, unknown> | null },
  words: SealedWords,
): Promise<{ sealed: SealedContent; key: string }> {
  const { kind, payload = null } = message
  const id = randomUUID()
  const place = { threadUrn: text(thread.thread_urn), senderUrn: secrets.agentUrn, kind, payload, id }
  const key = randomBytes(SEAL_KEY_BYTES)
  const ciphertext = encryptWords(place, key, words)
  const grants = await Promise.all(thread.keys.map((keys) => grantTo(place, keys, key)))
  const unsigned = { id, ciphertext, commitment: commitmentOf(place, key, ciphertext), grants }
  const signature = await ed25519.signAsync(sealStatement(place, unsigned), decode(secrets.signingSecretKey))
  return { sealed: { ...unsigned, signature: encode(signature) }, key: encode(key) }
}

async function grantTo(place: SealedPlace, keys: AgentKeys, key: Uint8Array<ArrayBuffer>) {
  const hpke = suite()
  const recipientUrn = text(keys.agent_urn)
  const recipientPublicKey = await hpke.kem.deserializePublicKey(decode(keys.hpke_public_key))
  const info = new Uint8Array(grantInfo(place, recipientUrn))
  const { enc, ct } = await hpke.seal({ recipientPublicKey, info }, key)
  return { recipient_urn: recipientUrn, enc: encode(new Uint8Array(enc)), key: encode(new Uint8Array(ct)) }
}

/**
 * Opens a message of a thread: its sender's pinned key must have signed it for this place, and the key that was sealed to
 * this agent be the one the sender committed to. Throws SealBroken otherwise. `key` is what discloses it.
 */
export async function openMessage(
  thread: Thread,
  secrets: AgentSecrets,
  message: SealedMessage,
): Promise<SealedWords & { key: string }> {
  const { sealed } = message
  if (!sealed) throw new SealBroken('the message is not sealed')
  const place = placeOf(thread, message, sealed)
  const sender = thread.keys.find(({ agent_urn }) => text(agent_urn) === place.senderUrn)
  if (!sender || !(await isSealedBy(place, sealed, sender.signing_public_key))) {
    throw new SealBroken('its sender did not sign it for this thread')
  }
  const key = await ungrant(place, secrets, sealed)
  return { ...decryptWords(place, sealed, key), key: encode(key) }
}

async function ungrant(place: SealedPlace, secrets: AgentSecrets, sealed: SealedContent): Promise<Uint8Array> {
  const grant = sealed.grants.find(({ recipient_urn }) => recipient_urn === secrets.agentUrn)
  if (!grant) throw new SealBroken('it was not sealed to this agent')
  try {
    const hpke = suite()
    const recipientKey = await hpke.kem.deserializePrivateKey(decode(secrets.hpkeSecretKey))
    const info = new Uint8Array(grantInfo(place, secrets.agentUrn))
    return new Uint8Array(await hpke.open({ recipientKey, enc: decode(grant.enc), info }, decode(grant.key)))
  } catch {
    throw new SealBroken('what was sealed to this agent does not open with its key')
  }
}

/** Tells the service what a sealed message says, by the key that openMessage or sealWords answered. */
export async function discloseMessage(client: Client, messageUrn: string, key: string) {
  return (await client.call(discloseRoute, { params: { urn: messageUrn }, body: { key } })).body
}

/** What a disclosed message says, for whoever was told its key: the same check as the service's. Throws SealBroken. */
export function checkDisclosure(thread: Thread, message: SealedMessage, key: string): SealedWords {
  if (!message.sealed) throw new SealBroken('the message is not sealed')
  return decryptWords(placeOf(thread, message, message.sealed), message.sealed, decode(key))
}

function placeOf(thread: Thread, { sender_urn, kind, payload }: SealedMessage, { id }: SealedContent): SealedPlace {
  return { threadUrn: text(thread.thread_urn), senderUrn: text(sender_urn), kind, payload, id }
}

function text(urn: Urn): string {
  return typeof urn === 'string' ? urn : urnString(urn.prefix as UrnPrefix, urn.body)
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}
