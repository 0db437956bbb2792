import { createHmac } from 'node:crypto'
import type { Settings } from '../../context.ts'

/**
 * Returns the key under which an address is counted: the same in upper and lower case, and meaningless
 * without SECRET_KEY.
 */
export function addressHash({ secretKey }: Pick<Settings, 'secretKey'>, email: string): Buffer {
  return createHmac('sha256', Buffer.from(secretKey, 'hex'))
    .update(JSON.stringify(['email address', email.toLowerCase()]))
    .digest()
}
