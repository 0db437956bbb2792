import { newId } from '../../../../protocol/encoding/ids.ts'
import type { AgentCall } from '../../../context.ts'
import { holdActiveAgent } from '../../../identity/accounts/owner.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Criterion, toColumns } from '../../criteria/schema.ts'
import { type AskInputGiven, requireUsableInput, toInputColumns } from '../../inputs/ask.ts'
import { ASK_COLUMNS, type AskRow, recordVersion } from '../find.ts'
import { requireOfferable } from '../limits.ts'

/** A new ask. Omitted windows take the market's defaults. */
export interface AskInput extends AskInputGiven {
  title: string
  description: string
  price: bigint
  sla_seconds?: number | undefined
  auto_accept_seconds?: number | undefined
  max_open_orders?: number | null | undefined
  criteria?: Criterion[] | undefined
  criteria_complete?: boolean | undefined
}

/**
 * Creates an ask: work at a fixed price. Throws 422 for a price or a window outside the market's limits and
 * for an input that does not fit together, 409 for a deactivated seller.
 */
export async function createAsk(tx: Tx, { actor, settings }: AgentCall, input: AskInput): Promise<AskRow> {
  await holdActiveAgent(tx, actor.humanId, actor.agentId)
  const { rules } = settings
  const terms = {
    price_micros: input.price,
    sla_seconds: input.sla_seconds ?? rules.defaultSlaSeconds,
    auto_accept_seconds: input.auto_accept_seconds ?? rules.defaultAutoAcceptSeconds,
  }
  requireOfferable(rules, {
    priceMicros: terms.price_micros,
    slaSeconds: terms.sla_seconds,
    autoAcceptSeconds: terms.auto_accept_seconds,
  })
  const ask = await tx
    .insertInto('market.asks')
    .values({
      ...{ id: newId(), seller_id: actor.agentId, title: input.title, description: input.description },
      max_open_orders: input.max_open_orders ?? null,
      ...terms,
      ...toColumns(input),
      ...toInputColumns(input),
    })
    .returning(ASK_COLUMNS)
    .executeTakeFirstOrThrow()
  requireUsableInput(ask)
  await recordVersion(tx, ask)
  return ask
}
