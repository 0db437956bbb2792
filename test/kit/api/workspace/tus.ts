import { request } from 'node:http'
import { expect } from 'chai'
import { partialsOf } from '../../../../api/platform/blobs/open.ts'
import { until } from '../../until.ts'
import type { Account } from '../identity/accounts/owners.ts'
import type { Reply } from '../platform/http/api.ts'
import type { TestPage, Workspace } from './world.ts'

const CHUNK = 'application/offset+octet-stream'
const UUID_LENGTH = 36

/** What a test sends of tus. A header that is undefined is left out. */
export interface TusRequest {
  by?: Account
  headers?: Record<string, string | undefined>
  bytes?: Buffer<ArrayBuffer> | string
}

/** Sends a request of tus as it is. */
export async function tus(world: Workspace, method: string, path: string, sent: TusRequest = {}): Promise<Reply> {
  const { by = world.ada, headers = {}, bytes } = sent
  return world.api.send(method, path, {
    token: by.token,
    ...(bytes === undefined ? {} : { raw: typeof bytes === 'string' ? Buffer.from(bytes) : bytes }),
    headers: {
      'market-version': undefined,
      'tus-resumable': '1.0.0',
      'content-type': bytes === undefined ? undefined : CHUNK,
      ...headers,
    },
  })
}

/** Upload-Metadata of a file for a page. */
export function metadata(world: Workspace, page: TestPage, more: Record<string, string> = {}): string {
  const values = { org: world.slug, page: page.id, filename: 'verse.txt', insert: 'none', ...more }
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

/** Begins an upload and returns its path. */
export async function begin(world: Workspace, lengthBytes: number, more: Record<string, string> = {}): Promise<string> {
  const headers = { 'upload-length': String(lengthBytes), 'upload-metadata': metadata(world, world.page, more) }
  const reply = await tus(world, 'POST', '/uploads', { headers })
  expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
  return String(reply.headers.get('location'))
}

/** Sends bytes at an offset. */
export function append(
  world: Workspace,
  path: string,
  offset: number,
  bytes: Buffer<ArrayBuffer> | string,
  by?: Account,
) {
  return tus(world, 'PATCH', path, { bytes, headers: { 'upload-offset': String(offset) }, ...(by ? { by } : {}) })
}

/** How much of an upload has arrived. */
export async function offsetOf(world: Workspace, path: string): Promise<number> {
  const reply = await tus(world, 'HEAD', path)
  expect(reply.status).to.equal(200)
  return Number(reply.headers.get('upload-offset'))
}

/** A request that has sent some of its bytes and sends no more. */
export interface Hanging {
  /** Ends its connection, in order or not. */
  drop: (how: 'destroy' | 'resetAndDestroy') => void
  /** Resolves once its connection is closed. */
  ended: Promise<void>
}

/** Begins to send the rest of an upload, and stops after these bytes, once they are stored. */
export async function hang(world: Workspace, path: string, offset: number, sent: HangingRequest): Promise<Hanging> {
  const { bytes, restBytes, headers = {} } = sent
  const sender = request(world.api.baseUrl + path, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${world.ada.token}`,
      'tus-resumable': '1.0.0',
      'content-type': CHUNK,
      'content-length': restBytes,
      'upload-offset': offset,
      ...headers,
    },
  })
  const ended = new Promise<void>((resolve) => sender.once('close', resolve))
  sender.on('error', () => {}).on('response', (response) => response.resume())
  sender.write(bytes)
  const partials = partialsOf(world.api.settings)
  const size = () => partials.sizeOf(path.slice(-UUID_LENGTH))
  await until('the bytes are kept', size, (kept) => kept >= offset + bytes.length, { pollMs: 10 })
  return { drop: (how) => sender.socket?.[how](), ended }
}

interface HangingRequest {
  bytes: Buffer
  /** How many it says that it sends. */
  restBytes: number
  headers?: Record<string, string>
}
