import type { SettledOrder } from '../../sdk/settlement.ts'
import type { ToolContext } from '../tool.ts'
import { timeOf } from './clock.ts'

/**
 * Signs an order's refund and the rest of its distribution with this server's wallet, if that wallet paid or
 * is paid. Without a wallet it does nothing, and the action has no proof.
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
