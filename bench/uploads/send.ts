import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

const PIECE_BYTES = 1_048_576
const piece = randomBytes(PIECE_BYTES)

/**
 * Sends so many bytes as one body, as fast as the server takes them. Throws an Error for another status than
 * 2xx.
 */
export async function sendBytes(
  url: string,
  { method, headers, sizeBytes }: { method: string; headers: Record<string, string>; sizeBytes: number },
): Promise<IncomingMessage> {
  const sender = request(url, { method, headers: { ...headers, 'content-length': sizeBytes } })
  const answered = once(sender, 'response') as Promise<[IncomingMessage]>
  for (let sent = 0; sent < sizeBytes; sent += PIECE_BYTES) {
    if (!sender.write(piece.subarray(0, Math.min(PIECE_BYTES, sizeBytes - sent)))) await once(sender, 'drain')
  }
  sender.end()
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  if (response.statusCode === undefined || response.statusCode >= 300) throw new Error(`status ${response.statusCode}`)
  return response
}
