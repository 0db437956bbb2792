import type { SettledOrder } from '../../sdk/settlement.ts'
import type { ToolContext } from '../tool.ts'
import { timeOf } from './clock.ts'

/**
 * Signs, with the wallet of this server, what goes back to the payer of an order, where the wallet is a party's of its payment. Without
 * a wallet it does nothing: what is done then goes without proof.
 */
export async function signOutcome(
  { client, purse }: Pick<ToolContext, 'client'> & { purse: ToolContext['purse'] | undefined },
  urn: string,
  refundOf: (hold: NonNullable<SettledOrder['hold']>) => string,
): Promise<void> {
  if (!purse) return
  const { body: order, response } = await client.call('getOrder', { params: { urn } })
  if (order.hold) await purse.settle(client, order, { refund: refundOf(order.hold), nowSeconds: timeOf(response) })
}
