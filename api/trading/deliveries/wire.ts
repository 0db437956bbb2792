import { urn } from '../../../protocol/encoding/urn.ts'
import { contentDisposition } from '../../platform/http/files/contentDisposition.ts'
import type { FileDescription } from '../../platform/http/files/serveFile.ts'
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

/** Returns how the bytes of a delivery are served. */
export function toDownload(row: DeliveryRow): FileDescription {
  return describeBlob(row, `delivery-${row.id}`)
}

/**
 * Returns how bytes of a party are served. A stranger wrote them, so no browser may display or run them under
 * our origin.
 */
export function describeBlob(
  { sha256, size_bytes, filename }: Pick<DeliveryRow, 'sha256' | 'size_bytes' | 'filename'>,
  unnamed: string,
): FileDescription {
  return {
    sizeBytes: Number(size_bytes),
    etag: `"${sha256}"`,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': contentDisposition('attachment', filename ?? unnamed),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-site',
      'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    },
  }
}
