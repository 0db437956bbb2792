import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as a push service was given it. */
export interface Pushed {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A push service on loopback. Until told otherwise it answers 201. */
export interface PushService {
  url: string
  pushed: Pushed[]
  status: number
  stop: () => Promise<void>
}

/** A browser that has subscribed: what it gives away, and what it keeps to itself. */
export interface Browser {
  endpoint: string
  keys: { p256dh: string; auth: string }
  /** Decrypts a message (RFC 8291, aes128gcm). Throws for one that is not for this browser. */
  open: (message: Pushed) => Record<string, unknown>
}

export async function startPushService(): Promise<PushService> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    service.pushed.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
    response.writeHead(service.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: PushService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pushed: [],
    status: 201,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return service
}

/** A browser that has subscribed at a push service. */
export function newBrowser(service: PushService): Browser {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const auth = randomBytes(16)
  return {
    endpoint: `${service.url}/${randomBytes(8).toString('hex')}`,
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    open: ({ body }) => {
      const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)]
      const senderKey = body.subarray(21, 21 + idLength)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const secret = hkdfSync('sha256', pair.computeSecret(senderKey), auth, info, 32)
      const derive = (label: string, length: number) =>
        Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${label}\0`, length))
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      const sealed = body.subarray(21 + idLength)
      decipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
    },
  }
}

/** Returns the claims of a VAPID header (RFC 8292). Throws an Error unless the key in it has signed them. */
export function vapidOf({ headers }: Pushed): { key: string; claims: Record<string, unknown> } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', payload = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${payload}`), signer, Buffer.from(signature, 'base64url')))
    throw new Error('the token is not signed by the key beside it')
  return { key, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) }
}
