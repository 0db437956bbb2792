import { setTimeout as delay } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../api/platform/db/pool.ts'
import { emit } from '../../api/platform/events/emit.ts'
import { orderEvents } from '../../api/trading/orders/record/module.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import type { Account } from './accounts.ts'

const MS_PER_SECOND = 1_000

/** An event, whose it is, and when its commit had returned. */
export interface Emitted {
  /** Of no other event. */
  orderUrn: string
  account: number
  committedMs: number
}

/**
 * Writes events in an open loop, each visible to one of the accounts in turn, whether or not the former ones
 * are done.
 */
export async function emitAtRate(
  db: Db,
  accounts: readonly Account[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Emitted[]> {
  const startedMs = performance.now()
  const writing: Promise<Emitted>[] = []
  for (let number = 0; number < rate * seconds; number++) {
    const dueMs = startedMs + (number * MS_PER_SECOND) / rate
    if (dueMs > performance.now()) await delay(dueMs - performance.now())
    const account = number % accounts.length
    writing.push(emitOne(db, accounts, account))
  }
  return Promise.all(writing)
}

async function emitOne(db: Db, accounts: readonly Account[], account: number): Promise<Emitted> {
  const id = accounts[account]?.id ?? ''
  const orderUrn = urnString('order', uuidv7())
  const payload = {
    order_urn: orderUrn,
    state: 'funded',
    price: '20.000000',
    escrow_mode: 'custodied',
    buyer_urn: urnString('agent', id),
    seller_urn: urnString('agent', id),
  } as const
  await db.transaction().execute((tx) => emit(tx, orderEvents['order.funded'], { payload, visibleTo: [id] }))
  return { orderUrn, account, committedMs: performance.now() }
}
