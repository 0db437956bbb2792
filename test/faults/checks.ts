import { auditFindings, query, untilBooksMatch, untilNothingIsOpen } from '../e2e/books.ts'
import { chainHistory, movementsOf, totalMovements } from '../e2e/settlement.ts'
import { until } from '../kit/until.ts'
import type { Load } from './load.ts'
import type { FaultMarket } from './market.ts'
import type { Trade } from './trade.ts'
import type { Witness, Witnesses } from './witnesses.ts'

const EVENTS_LIMIT_MS = 90_000
const MONEY_LIMIT_MS = 120_000
/** What an order that went to its end tells once each. */
const LIFE = [
  'order.placed',
  'order.funded',
  'order.delivered',
  'receipt.delivered',
  'order.accepted',
  'receipt.finalized',
]

/** What is judged: a market at rest, the trades of its load, and who read its events. */
export interface Judged {
  market: FaultMarket
  load: Load
  witnesses: Witnesses
}

/** One thing that must hold whatever failed. It throws an Error that says what does not. */
interface Check {
  name: string
  holds: (judged: Judged) => Promise<void>
}

/** In the order in which they are made: money first. */
const CHECKS: readonly Check[] = [
  { name: 'each trade was paid in once and distributed once', holds: movedOnce },
  { name: 'the books match the chain', holds: booksMatch },
  { name: 'an auditor finds nothing', holds: auditIsClean },
  { name: 'each acknowledged request had its effect once', holds: effectiveOnce },
  { name: 'the log of events is whole', holds: logIsWhole },
  { name: 'every reader got every event', holds: readersHaveAll },
]

/** Makes all checks. Returns what does not hold, a sentence each. */
export async function judge(judged: Judged): Promise<string[]> {
  const violations: string[] = []
  for (const { name, holds } of CHECKS)
    await holds(judged).catch((error: Error) => violations.push(`${name}: ${error.message}`))
  return violations
}

async function movedOnce({ market, load }: Judged): Promise<void> {
  const { stack } = market
  const orders = load.trades.flatMap((trade) => (trade.placed ? [{ trade, placed: trade.placed }] : []))
  const wrong = async () => {
    const history = await chainHistory({ stack, fromBlock: load.fromBlock })
    const moved = orders.map(({ trade, placed }) => ({ trade, ...movementsOf(stack, trade.parties, history, placed) }))
    const total = totalMovements(stack, history)
    const sum = (count: (movements: (typeof moved)[number]) => number) =>
      moved.reduce((all, each) => all + count(each), 0)
    const [paidIn, distributed] = [sum((each) => each.paidIn), sum((each) => each.paidOut + each.refunded)]
    const ofNobody = total.in !== paidIn || total.out !== distributed
    return [
      ...moved.flatMap(({ trade, paidIn: ins, paidOut, refunded }) =>
        isRight(trade, ins, paidOut, refunded)
          ? []
          : [
              `${trade.title} (${trade.mode}, ${trade.end}) was paid ${ins}, paid out ${paidOut}, refunded ${refunded} times`,
            ],
      ),
      ...(ofNobody
        ? [`the chain has ${total.in} in and ${total.out} out, the trades ${paidIn} and ${distributed}`]
        : []),
    ]
  }
  // What was ordered last may still be on its way.
  await until('each trade is paid in and distributed once', wrong, ({ length }) => length === 0, {
    limitMs: MONEY_LIMIT_MS,
    pollMs: 500,
  })
}

function isRight({ end }: Trade, paidIn: number, paidOut: number, refunded: number): boolean {
  if (end === 'final') return paidIn === 1 && paidOut === 1 && refunded === 0
  // An order that time ended may have been paid before, and then it was refunded.
  return paidOut === 0 && paidIn <= 1 && refunded === paidIn
}

async function booksMatch({ market: { stack } }: Judged): Promise<void> {
  await untilNothingIsOpen(stack)
  const losses = (await untilBooksMatch(stack)).filter(({ kind }) => kind === 'loss')
  if (losses.length > 0) throw new Error(`the ledger has losses: ${losses.map(({ micros }) => micros)}`)
}

async function auditIsClean({ market: { stack }, load }: Judged): Promise<void> {
  const [first] = load.pairs
  if (!first) throw new Error('nobody trades')
  const findings = await auditFindings(stack, first.buyer)
  if (findings.length > 0) throw new Error(JSON.stringify(findings))
}

interface Effects extends Record<string, unknown> {
  title: string
  asks: string[]
  orders: string[]
  events: Record<string, number>
  deliveries: number
  notices: number
}

async function effectiveOnce({ market: { stack }, load }: Judged): Promise<void> {
  const rows = await query<Effects>(
    stack,
    `select ask.title, array_agg(distinct ask.id::text) as asks,
      coalesce(array_agg(distinct orders.id::text) filter (where orders.id is not null), '{}') as orders,
      coalesce((select json_object_agg(event_type, count) from (
        select event_type, count(*)::int from market.events
        where payload->>'order_urn' = 'market:order:' || min(orders.id::text) group by 1) of_type), '{}') as events,
      (select count(*)::int from market.deliveries where order_id::text = min(orders.id::text)) as deliveries,
      (select count(*)::int from market.messages join market.threads on threads.id = thread_id
        where order_id::text = min(orders.id::text) and kind = 'delivery_notice') as notices
     from market.asks ask left join market.orders on orders.ask_id = ask.id where ask.title = any ($1) group by ask.title`,
    [load.trades.map(({ title }) => title)],
  )
  const byTitle = new Map(rows.map((row) => [row.title, row]))
  const wrong = load.trades.flatMap((trade) =>
    faultsOf(trade, byTitle.get(trade.title)).map((fault) => `${trade.title} ${fault}`),
  )
  if (wrong.length > 0) throw new Error(wrong.join('; '))
}

function faultsOf({ acknowledged, askId, placed, end }: Trade, effects: Effects | undefined): string[] {
  if (!effects) return acknowledged.has('ask') ? ['lost its ask'] : []
  const { asks, orders, events, deliveries, notices } = effects
  const is = (isWrong: boolean, fault: string) => (isWrong ? [fault] : [])
  // A call that was never acknowledged may have had its effect, but once.
  const times = (count: number, isAcknowledged: boolean) => (isAcknowledged ? count !== 1 : count > 1)
  const told = (type: string) => events[type] ?? 0
  return [
    ...is(
      times(asks.length, acknowledged.has('ask')) || (askId !== undefined && asks[0] !== askId),
      `has the asks ${asks}`,
    ),
    ...is(
      times(orders.length, acknowledged.has('order')) || (placed !== undefined && orders[0] !== placed.id),
      `has the orders ${orders}`,
    ),
    ...is(times(deliveries, acknowledged.has('delivery')), `has ${deliveries} deliveries`),
    ...is(times(notices, acknowledged.has('notice')), `has ${notices} notices`),
    ...is(
      times(told('order.accepted'), acknowledged.has('acceptance')),
      `was accepted ${told('order.accepted')} times`,
    ),
    ...LIFE.flatMap((type) => is(times(told(type), end === 'final'), `told ${told(type)} times of ${type}`)),
  ]
}

async function logIsWhole({ market: { stack } }: Judged): Promise<void> {
  const faults = () =>
    query<{ fault: string }>(
      stack,
      `select 'the act ' || id || ' has no place' as fault from market.unplaced_acts
       union all select 'places are missing before ' || place from (
         select place, cardinality(event_ids) as events, lag(place) over (order by place) as former from market.placed_acts) placed
       where place - former <> greatest(events, 1)
       union all select 'the event ' || event_id || ' has no place' from market.events event
       where not exists (select from market.placed_acts placed where placed.id = event.act and event.id = any (placed.event_ids))
       union all select 'the event ' || event_id || ' has several places' from market.events event
       join market.placed_acts placed on placed.id = event.act and event.id = any (placed.event_ids) group by event_id having count(*) > 1`,
    )
  await until('every event has its place', faults, ({ length }) => length === 0, {
    limitMs: EVENTS_LIMIT_MS,
    pollMs: 300,
  })
}

async function readersHaveAll({ market: { stack }, witnesses }: Judged): Promise<void> {
  if (witnesses.failures.length > 0) throw new Error(witnesses.failures.join('; '))
  const faults = async () =>
    (await Promise.all(witnesses.all.map(async (one) => faultOf(one, await eventsOf(one))))).flat()
  const eventsOf = async ({ accountId, prefix }: Witness) => {
    const rows = await query<{ event_id: string }>(
      stack,
      `select event.event_id from market.placed_acts placed
       cross join lateral unnest(placed.event_ids) with ordinality of_act(id, number)
       join market.events event on event.act = placed.id and event.id = of_act.id
       where $1::uuid = any (event.visible_to) and starts_with(event.event_type, $2) order by placed.place, of_act.number`,
      [accountId, prefix],
    )
    return rows.map(({ event_id }) => event_id)
  }
  await until('all readers have all events', faults, ({ length }) => length === 0, {
    limitMs: EVENTS_LIMIT_MS,
    pollMs: 300,
  })
}

/** A reader may get an event again, but none late, and none too few. */
function faultOf({ name, isOrdered, eventIds }: Witness, logged: readonly string[]): string[] {
  const got = [...new Set(eventIds)]
  const missing = logged.filter((id) => !eventIds.includes(id))
  if (missing.length > 0) return [`${name} lacks ${missing.length} of ${logged.length}, the first ${missing[0]}`]
  const known = new Set(logged)
  const isInOrder = got.filter((id) => known.has(id)).every((id, place) => id === logged[place])
  return isOrdered && !isInOrder ? [`${name} has events out of order`] : []
}
