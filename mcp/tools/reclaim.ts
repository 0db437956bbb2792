import { z } from 'zod'
import { formatAmount } from '../../protocol/encoding/amounts.ts'
import { defineTool, type Tool } from '../tool.ts'
import { amount, urn } from './inputs.ts'

/** The tool that takes an expired hold back out of the escrow contract. */
export const reclaimTools: readonly Tool[] = [
  defineTool({
    name: 'reclaim',
    title: 'Take an expired payment back',
    description:
      'Takes the money of a contract order back to the wallet of this server, which paid it, once its hold has expired (next_deadline expire). Custodied orders are refunded by themselves.',
    input: z.object({ order_urn: urn('order') }),
    output: z.object({ reclaimed: amount.nullable(), tx_hash: z.string().nullable(), next_step: z.string() }),
    isReadOnly: false,
    isIdempotent: false,
    run: async ({ client, purse }, { order_urn: order }) => {
      const { hold } = (await client.call('getOrder', { params: { urn: order } })).body
      if (!hold) return { reclaimed: null, tx_hash: null, next_step: 'Nothing was paid for this order.' }
      if (!purse?.reclaim) {
        const next_step = `This server has no wallet with a node. Run ./market reclaim ${order} with the keystore of ${hold.payer}, or use the order's page of the console.`
        return { reclaimed: null, tx_hash: null, next_step }
      }
      const { reclaimedMicros, reclaimTx } = await purse.reclaim(order, hold.deposit_tx)
      const next_step = 'The money is in the wallet. The order ends when the chain has confirmed it.'
      return { reclaimed: formatAmount(reclaimedMicros), tx_hash: reclaimTx, next_step }
    },
  }),
]
