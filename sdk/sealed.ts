import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import * as ed25519 from '@noble/ed25519'
import { type Address, type Hex, hashMessage, type PublicClient } from 'viem'
import { fromBase64url, toBase64url } from '../protocol/encoding/bytes.ts'
import { type UrnPrefix, urnString } from '../protocol/encoding/urn.ts'
import { agentKeysMessage, isSigningKey } from '../protocol/keys/agentKeys.ts'
import { isSignedBy, isSignedByKey } from '../protocol/keys/signatures.ts'
import { payloadAsSigned } from '../protocol/records/message.ts'
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
} from '../protocol/records/sealed.ts'
import { isSameAccount } from './ethereum.ts'
import type { components } from './generated/schema.ts'
import type { Market } from './market.ts'
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

/** Public keys as the API returns them. */
export type AgentKeys = components['schemas']['AgentKeys']
/** A thread as the API returns it. */
export type Thread = components['schemas']['Thread']
/** A sealed message as a page of its thread returns it. URNs in either form. */
export interface SealedMessage {
  urn: Urn
  sender_urn: Urn
  kind: string
  payload?: Record<string, unknown> | null | undefined
  sealed?: SealedContent | null | undefined
}
type Urn = string | { prefix: string; body: string }

/** Generates keys for an agent. */
export async function createAgentKeys(agentUrn: string): Promise<AgentSecrets> {
  const { kem } = suite()
  const pair = await kem.generateKeyPair()
  const seed = randomBytes()
  return {
    agentUrn,
    hpkePublicKey: toBase64url(new Uint8Array(await kem.serializePublicKey(pair.publicKey))),
    hpkeSecretKey: toBase64url(new Uint8Array(await kem.serializePrivateKey(pair.privateKey))),
    signingPublicKey: toBase64url(await ed25519.getPublicKeyAsync(seed)),
    signingSecretKey: toBase64url(seed),
  }
}

/** Publishes an agent's public keys, signed by a verified wallet of its owner. Called as the agent. */
export async function publishAgentKeys(
  market: Pick<Market, 'call'>,
  secrets: AgentSecrets,
  wallet: MessageSigner,
  network: string,
) {
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
  return (await market.call('publishKeys', { body })).body
}

/** A party identified by its wallet, such as the payer or the payee of an order's signed payment. */
export interface KnownParty {
  wallet: Address
  /** eip155:<chain id>: keys signed for another network do not count. */
  network: string
  /**
   * A node to verify the signature of a contract wallet (ERC-1271). Without it, such a wallet's keys are
   * refused.
   */
  rpc?: PublicClient
}

/**
 * Returns whether a party's wallet signed an agent's keys. Do not take the wallet from the service: it could
 * name its own. Throws any error of the RPC.
 */
export async function areKeysOf(keys: AgentKeys, { wallet, network, rpc }: KnownParty): Promise<boolean> {
  if (!isSigningKey(keys.signing_public_key) || !isSameAccount(keys.wallet, wallet)) return false
  if (keys.network !== network) return false
  const message = agentKeysMessage({
    agentUrn: text(keys.agent_urn),
    network,
    hpkePublicKey: keys.hpke_public_key,
    signingPublicKey: keys.signing_public_key,
    issuedAt: keys.issued_at,
  })
  const signed = { account: wallet, digest: hashMessage(message), signature: keys.signature as Hex }
  return rpc ? isSignedBy(rpc, signed, []) : isSignedByKey(signed)
}

/**
 * Seals content to both parties of a thread. Returns the `sealed` member for a message of this kind and
 * payload. Throws SealBroken unless the thread shows this agent's own keys, and keys that the counterparty's
 * wallet signed.
 */
export async function sealWords(
  thread: Thread,
  secrets: AgentSecrets,
  message: { kind: string; payload?: Record<string, unknown> | null },
  words: SealedWords,
  counterparty: KnownParty,
): Promise<{ sealed: SealedContent; key: string }> {
  const recipients = await partiesOf(thread, secrets, counterparty)
  const { kind } = message
  const payload = payloadAsSigned(message.payload)
  const id = crypto.randomUUID()
  const place = { threadUrn: text(thread.thread_urn), senderUrn: secrets.agentUrn, kind, payload, id }
  const key = randomBytes()
  const ciphertext = await encryptWords(place, key, words)
  const grants = await Promise.all(recipients.map((keys) => grantTo(place, keys, key)))
  const unsigned = { id, ciphertext, commitment: commitmentOf(place, key, ciphertext), grants }
  const signature = await ed25519.signAsync(sealStatement(place, unsigned), fromBase64url(secrets.signingSecretKey))
  return { sealed: { ...unsigned, signature: toBase64url(signature) }, key: toBase64url(key) }
}

/**
 * Returns the keys of both parties. Throws SealBroken for any that are not theirs: a stranger could read what
 * is sealed to them.
 */
async function partiesOf(thread: Thread, secrets: AgentSecrets, counterparty: KnownParty): Promise<AgentKeys[]> {
  const [own, ...others] = thread.keys.toSorted((one) => (text(one.agent_urn) === secrets.agentUrn ? -1 : 1))
  const isOwn = own?.hpke_public_key === secrets.hpkePublicKey && own.signing_public_key === secrets.signingPublicKey
  if (!own || text(own.agent_urn) !== secrets.agentUrn || !isOwn) {
    throw new SealBroken('the thread does not show the keys of this agent')
  }
  const [other] = others
  if (!other || others.length > 1 || !(await areKeysOf(other, counterparty))) throw notTheirs()
  return [own, other]
}

function notTheirs(): SealBroken {
  return new SealBroken('the keys that the thread shows are not signed by the wallet of this party')
}

async function grantTo(place: SealedPlace, keys: AgentKeys, key: Uint8Array<ArrayBuffer>) {
  const hpke = suite()
  const recipientUrn = text(keys.agent_urn)
  const recipientPublicKey = await hpke.kem.deserializePublicKey(fromBase64url(keys.hpke_public_key))
  const info = new Uint8Array(grantInfo(place, recipientUrn))
  const { enc, ct } = await hpke.seal({ recipientPublicKey, info }, key)
  return { recipient_urn: recipientUrn, enc: toBase64url(new Uint8Array(enc)), key: toBase64url(new Uint8Array(ct)) }
}

/**
 * Opens a message of a thread. Its sender's key must have signed it for this place: this agent's own, or one
 * that the counterparty's wallet signed. The key sealed to this agent must be the one the sender committed
 * to. Throws SealBroken otherwise. The returned `key` discloses the message.
 */
export async function openMessage(
  thread: Thread,
  secrets: AgentSecrets,
  message: SealedMessage,
  counterparty: KnownParty,
): Promise<SealedWords & { key: string }> {
  const { sealed } = message
  if (!sealed) throw new SealBroken('the message is not sealed')
  const place = placeOf(thread, message, sealed)
  const isOwn = place.senderUrn === secrets.agentUrn
  const signingKey = isOwn ? secrets.signingPublicKey : await signingKeyOf(thread, place, counterparty)
  await requireSigned(place, sealed, signingKey)
  const key = await ungrant(place, secrets, sealed)
  return { ...(await decryptWords(place, sealed, key)), key: toBase64url(key) }
}

/**
 * Returns the key that a message's sender signs with. Throws SealBroken unless the sender's wallet signed it.
 */
async function signingKeyOf(thread: Thread, { senderUrn }: SealedPlace, sender: KnownParty): Promise<string> {
  const keys = thread.keys.find(({ agent_urn }) => text(agent_urn) === senderUrn)
  if (!keys || !(await areKeysOf(keys, sender))) throw notTheirs()
  return keys.signing_public_key
}

async function requireSigned(place: SealedPlace, sealed: SealedContent, signingKey: string): Promise<void> {
  if (await isSealedBy(place, sealed, signingKey)) return
  throw new SealBroken('its sender did not sign it for this thread')
}

async function ungrant(place: SealedPlace, secrets: AgentSecrets, sealed: SealedContent): Promise<Uint8Array> {
  const grant = sealed.grants.find(({ recipient_urn }) => recipient_urn === secrets.agentUrn)
  if (!grant) throw new SealBroken('it was not sealed to this agent')
  try {
    const hpke = suite()
    const recipientKey = await hpke.kem.deserializePrivateKey(fromBase64url(secrets.hpkeSecretKey))
    const info = new Uint8Array(grantInfo(place, secrets.agentUrn))
    return new Uint8Array(
      await hpke.open({ recipientKey, enc: fromBase64url(grant.enc), info }, fromBase64url(grant.key)),
    )
  } catch {
    throw new SealBroken('what was sealed to this agent does not open with its key')
  }
}

/** Discloses a sealed message to the service, by the key that openMessage or sealWords returned. */
export async function discloseMessage(market: Pick<Market, 'call'>, messageUrn: string, key: string) {
  return (await market.call('discloseMessage', { params: { urn: messageUrn }, body: { key } })).body
}

/**
 * Returns a disclosed message's content, for a reader who was given its key. Throws SealBroken unless the
 * sender's wallet signed the sender's key, that key signed the message, and the message commits to the key it
 * is opened with.
 */
export async function checkDisclosure(
  thread: Thread,
  message: SealedMessage,
  key: string,
  sender: KnownParty,
): Promise<SealedWords> {
  const { sealed } = message
  if (!sealed) throw new SealBroken('the message is not sealed')
  const place = placeOf(thread, message, sealed)
  await requireSigned(place, sealed, await signingKeyOf(thread, place, sender))
  return decryptWords(place, sealed, fromBase64url(key))
}

function placeOf(thread: Thread, { sender_urn, kind, payload }: SealedMessage, { id }: SealedContent): SealedPlace {
  const said = { kind, payload: payloadAsSigned(payload), id }
  return { threadUrn: text(thread.thread_urn), senderUrn: text(sender_urn), ...said }
}

function text(urn: Urn): string {
  return typeof urn === 'string' ? urn : urnString(urn.prefix as UrnPrefix, urn.body)
}

/** Returns 32 random bytes: a seed, or a key of a message. */
function randomBytes(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SEAL_KEY_BYTES))
}
