import { urn } from '../../../protocol/urn.ts'
import type { DeliveryRow } from './find.ts'

/** Returns a delivery in its wire form. */
export function toDelivery(row: DeliveryRow) {
  return {
    delivery_urn: urn('delivery', row.id),
    order_urn: urn('order', row.order_id),
    message_urn: row.message_id === null ? null : urn('message', row.message_id),
    output_hash: row.sha256,
    size_bytes: Number(row.size_bytes),
    filename: row.filename,
    created_at: row.created_at.toISOString(),
  }
}

/**
 * Returns the headers of a delivery's bytes. A stranger wrote the bytes, so no browser may display or run them under
 * our origin.
 */
export function downloadHeaders({ sha256, size_bytes, filename, id }: DeliveryRow): Record<string, string> {
  const name = encodeURIComponent((filename ?? `delivery-${id}`).toWellFormed()).replaceAll(/['()*]/g, percent)
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(size_bytes),
    'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-site',
    'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  }
}

// Encodes the characters that RFC 8187 requires to be encoded and encodeURIComponent leaves as they are.
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
