import type { Hex } from 'viem'
import { formatChange } from '../../../../protocol/encoding/amounts.ts'
import { parseUrn, urn } from '../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { RequestedList } from '../../../platform/http/route/pagination.ts'
import { assetKey } from '../post.ts'
import type { StatementBody } from '../routes.ts'
import {
  balanceAt,
  beginStatement,
  type StatementEntry,
  type StatementPlace,
  type StatementScope,
  statementBalances,
  statementEntries,
} from './statement.ts'

/** The period of the requested statement, and the page. */
export interface StatementQuery {
  from?: Date | undefined
  to?: Date | undefined
  limit: number
}

/**
 * Returns one page of a human's statement. All pages belong to the statement that the first page began, even
 * if entries are booked meanwhile: the cursor identifies it. Throws request/invalid for a cursor of another
 * period or account.
 */
export async function statementPage(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  { query, list }: { query: StatementQuery; list: RequestedList },
): Promise<StatementBody> {
  const { humanId } = actor
  const begun = readPlace(list.position())
  const fresh = await beginStatement(tx, settings.chain, humanId, query)
  const scope = begun ? { ...fresh, to: begun.to, lastEntryId: begun.lastEntryId } : fresh
  const { openingMicros, closingMicros } = await statementBalances(tx, scope)
  const found = await statementEntries(tx, scope, { after: begun?.after, limit: query.limit + 1 })
  const entries = found.slice(0, query.limit)
  const last = entries.at(-1)
  const before = begun ? await balanceAt(tx, scope, begun.after) : openingMicros
  return {
    owner_urn: urn('human', humanId),
    asset: assetKey(settings.chain),
    from: scope.from.toISOString(),
    to: scope.to.toISOString(),
    opening_balance: formatChange(openingMicros),
    closing_balance: formatChange(closingMicros),
    lines: withBalances(entries, before).map(toLine),
    next_cursor: last && found.length > query.limit ? list.cursorTo(writePlace(scope, last)) : null,
  }
}

/** Returns each entry with the account's balance after it. */
export function withBalances(entries: readonly StatementEntry[], beforeMicros: bigint) {
  let balanceMicros = beforeMicros
  return entries.map((entry) => {
    balanceMicros += entry.amountMicros
    return { ...entry, balanceMicros }
  })
}

function toLine(entry: StatementEntry & { balanceMicros: bigint }): StatementBody['lines'][number] {
  const payoutId = entry.payoutUrn === null ? undefined : parseUrn('payout', entry.payoutUrn)
  return {
    at: entry.at.toISOString(),
    kind: entry.kind,
    amount: formatChange(entry.amountMicros),
    balance: formatChange(entry.balanceMicros),
    order_urn: entry.orderId === null ? null : urn('order', entry.orderId),
    order_title: entry.orderTitle,
    payout_urn: payoutId === undefined ? null : urn('payout', payoutId),
    tx_hash: entry.txHash as Hex | null,
  }
}

function writePlace({ to, lastEntryId }: StatementScope, { micros, entryId }: StatementPlace): string {
  return [to.toISOString(), lastEntryId, micros, entryId].join(' ')
}

function readPlace(position: string | undefined) {
  if (position === undefined) return undefined
  const [to = '', lastEntryId = '', micros = '', entryId = ''] = position.split(' ')
  const after: StatementPlace = { micros: BigInt(micros), entryId: BigInt(entryId) }
  return { to: new Date(to), lastEntryId: BigInt(lastEntryId), after }
}
