import type { z } from '@hono/zod-openapi'
import { getAddress, type Hex } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import type { ChainSettings } from '../../../context.ts'
import type { AppealFeeRow } from '../../../payments/appealFees/find.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import { toPaymentAttempt } from '../../orders/record/fundingWire.ts'
import { networkName } from '../../orders/record/x402.ts'
import type { AppealAction } from '../record/guards.ts'
import type { DisputeParts } from '../record/queries.ts'
import type { appealRequirements, disputeRecord } from '../record/schemas.ts'

type Appeal = z.input<typeof disputeRecord>['appeals'][number]

/** Returns the payment terms of an appeal's fee, as fixed when it was offered. */
export function toAppealRequirements(chain: ChainSettings, fee: AppealFeeRow): z.input<typeof appealRequirements> {
  return {
    dispute_urn: urn('dispute', fee.dispute_id),
    appellant_urn: urn('agent', fee.agent_id),
    token: chain.token,
    network: networkName(chain),
    amount: formatAmount(fee.amount_micros),
    recipient: getAddress(fee.recipient),
    nonce: fee.nonce as Hex,
    valid_after: fee.valid_after.toISOString(),
    valid_before: fee.valid_before.toISOString(),
  }
}

/** Returns an appeal in the parties' wire form. */
export function toAppeal(
  chain: ChainSettings,
  { filed, ...fee }: DisputeParts['appeals'][number],
  may: AppealAction[],
): Appeal {
  const isOffered = fee.state === 'offered'
  return {
    party: fee.party,
    fee: formatAmount(fee.amount_micros),
    state: fee.state,
    may,
    ...(isOffered ? { payment_requirements: toAppealRequirements(chain, fee), ...paymentOf(filed) } : {}),
    offered_at: fee.offered_at.toISOString(),
    ...present({ paid_at: fee.paid_at?.toISOString() ?? null, ended_at: fee.ended_at?.toISOString() ?? null }),
  }
}

function paymentOf(filed: DisputeParts['appeals'][number]['filed']): Pick<Appeal, 'payment'> {
  if (!filed || filed.state === 'settled') return {}
  return { payment: toPaymentAttempt({ ...filed, state: filed.state }) }
}
