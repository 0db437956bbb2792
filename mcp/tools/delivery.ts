import { createHash } from 'node:crypto'
import { z } from 'zod'
import { getDelivery } from '../../api/trading/deliveries/routes.ts'
import { parseUrn, type UrnObject, urnString } from '../../protocol/encoding/urn.ts'
import type { CallAnswer, Market } from '../../sdk/market.ts'
import { latestNotice } from './thread.ts'

// The longest text that an agent can be expected to read at once.
const MAX_TEXT_BYTES = 262_144

type File = CallAnswer<'getDelivery'>['body']

const uploaded = getDelivery.answers[200].schema.shape

/** A delivery in the form that an agent gets. */
export const deliveryText = z.object({
  message_urn: z.string(),
  output_hash: z.string(),
  sealed: z.unknown().optional().describe('What only the parties can read, where their thread is sealed.'),
  text: z.string().nullable(),
  note: z.string().nullable().optional(),
  has_output_hash: z.boolean().nullable().describe('Null where the bytes were not compared.'),
  filename: uploaded.filename.optional(),
  size_bytes: uploaded.size_bytes.optional(),
  download: uploaded.download.optional(),
  checks: uploaded.checks.nullable().optional(),
  checks_pending: uploaded.checks_pending.optional(),
  has_bytes: z
    .boolean()
    .describe('False where nothing was uploaded: nothing is checked, and a dispute finds no delivery.'),
})

/**
 * Returns the newest delivery of an order: its SHA-256, whether the bytes have that hash, and its text, if it
 * is one. A file that is too long to be read at once has only its link, and its bytes were not compared.
 */
export async function readDelivery(client: Market, orderUrn: string) {
  const { message, sha256 } = await latestNotice(client, orderUrn)
  const { urn, body = null, sealed, payload } = message
  const about = { message_urn: urn, output_hash: sha256, ...(sealed ? { sealed } : {}) }
  const uploaded = parseUrn('delivery', (payload?.delivery_urn ?? '') as string | UrnObject)
  if (uploaded === undefined)
    return {
      ...about,
      has_bytes: false,
      text: body,
      has_output_hash: body === null ? null : hashOf(body) === sha256,
    }
  const { body: file } = await client.call('getDelivery', { params: { urn: urnString('delivery', uploaded) } })
  const { filename, size_bytes, download, checks = null, checks_pending } = file
  const bytes = await bytesOf(client, file)
  const has_output_hash = bytes === undefined ? null : hashOf(bytes) === sha256
  const known = { filename, size_bytes, download, checks, checks_pending, has_bytes: true }
  return { ...about, ...known, note: body, text: textOf(bytes), has_output_hash }
}

/**
 * Returns the bytes of a small enough file, by its link's parameters but from the called service; otherwise
 * undefined.
 */
async function bytesOf(client: Market, { delivery_urn, size_bytes, download }: File): Promise<Uint8Array | undefined> {
  if (!download || size_bytes > MAX_TEXT_BYTES) return undefined
  const { account = '', expires = '', signature = '' } = Object.fromEntries(new URL(download.url).searchParams)
  const query = { account, expires, signature }
  const params = { urn: urnString('delivery', delivery_urn.body) }
  const { response } = await client.call('downloadDelivery', { params, query })
  return new Uint8Array(await response.arrayBuffer())
}

function textOf(bytes: Uint8Array | undefined): string | null {
  try {
    return bytes === undefined ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function hashOf(output: string | Uint8Array): string {
  return createHash('sha256').update(output).digest('hex')
}
