import { type SignedReceipt, signedReceipt } from '../../../../protocol/records/receipt.ts'
import { createMarket } from '../../../../sdk/market.ts'
import type { SandboxFile } from '../../../machine/sandboxFile.ts'
import { urnText } from '../../../terminal/text.ts'

/**
 * Returns the receipts of the final orders of a sandbox's first human, so that an audit there needs no files.
 */
export async function sandboxReceipts({
  base_url: baseUrl,
  human_token: token,
}: Pick<SandboxFile, 'base_url' | 'human_token'>): Promise<SignedReceipt[]> {
  const market = createMarket({ baseUrl, token })
  const receipts: SignedReceipt[] = []
  for (const role of ['buyer', 'seller'] as const) {
    for await (const order of market.pages('listOrders', { query: { role, state: 'final', limit: 100 } })) {
      if (!order.receipt_urn) continue
      const agent = urnText(role === 'buyer' ? order.buyer_urn : order.seller_urn)
      const { body } = await market.call('getReceipt', { params: { urn: urnText(order.receipt_urn) }, agent })
      if (body.signed) receipts.push(signedReceipt.parse(body.signed))
    }
  }
  return receipts
}
