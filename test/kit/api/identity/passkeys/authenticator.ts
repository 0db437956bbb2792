import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What an authenticator and the browser around it are, or pretend to be. */
export interface Guise {
  origin: string
  rpId: string
  isUserVerified: boolean
  crossOrigin: boolean
  /** The signature counter it says; by itself it counts on. */
  counter: number
  /** The attestation a new key comes with. */
  attestation: { fmt: string; attStmt: Map<string, Cbor> }
  /** What it says whose key it is, instead of what it was told. */
  userHandle: string
}

/** An authenticator in software (WebAuthn 3, 6): one ES256 key, which signs what it is asked to. */
export interface Authenticator {
  credentialId: string
  create: (options: { challenge: string; user: { id: string } }, guise?: Partial<Guise>) => object
  get: (options: { challenge: string }, guise?: Partial<Guise>) => object
}

type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attestedData: 0x40 }
const ES256 = -7

/**
 * One that counts, as security keys do; with `counts: false` it says 0 always, as synchronised passkeys do.
 */
export function newAuthenticator(usual: Pick<Guise, 'origin' | 'rpId'>, { counts = true } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  let counter = 0
  let owner = ''
  const guised = (guise: Partial<Guise>): Guise => ({
    ...usual,
    isUserVerified: true,
    crossOrigin: false,
    counter: counts ? ++counter : 0,
    attestation: { fmt: 'none', attStmt: new Map() },
    userHandle: owner,
    ...guise,
  })
  const identity = { id: credentialId.toString('base64url'), rawId: credentialId.toString('base64url') }
  return {
    credentialId: identity.id,
    create: ({ challenge, user }, guise = {}) => {
      owner = user.id
      const made = guised(guise)
      const key = Buffer.concat([Buffer.alloc(16), uint16(credentialId.length), credentialId, coseKey(publicKey)])
      const authData = Buffer.concat([authenticatorData(made, FLAGS.attestedData), key])
      const object = new Map<string, Cbor>([...Object.entries(made.attestation), ['authData', authData]])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, made).toString('base64url'),
        attestationObject: encode(object).toString('base64url'),
        transports: ['usb'],
      }
      return { ...identity, type: 'public-key', response, clientExtensionResults: {} }
    },
    get: ({ challenge }, guise = {}) => {
      const made = guised(guise)
      const data = clientData('webauthn.get', challenge, made)
      const signed = authenticatorData(made, 0)
      const hash = createHash('sha256').update(data).digest()
      const response = {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: signed.toString('base64url'),
        signature: sign('sha256', Buffer.concat([signed, hash]), privateKey).toString('base64url'),
        userHandle: made.userHandle,
      }
      return { ...identity, type: 'public-key', response, clientExtensionResults: {} }
    },
  }
}

function clientData(type: string, challenge: string, { origin, crossOrigin }: Guise): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
}

function authenticatorData({ rpId, isUserVerified, counter }: Guise, more: number): Buffer {
  const flags = FLAGS.userPresent | (isUserVerified ? FLAGS.userVerified : 0) | more
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
}

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return encode(
    new Map<number, Cbor>([
      [1, 2],
      [3, ES256],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

/** CBOR (RFC 8949), as much of it as authenticators say. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([name, member]) => [encode(name), encode(member)])])
}

function head(type: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(type << 5) | count])
  if (count < 256) return Buffer.from([(type << 5) | 24, count])
  return Buffer.concat([Buffer.from([(type << 5) | 25]), uint16(count)])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
