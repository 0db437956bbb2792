import pg from 'pg'
import { type Address, type Hex, isAddress } from 'viem'
import { indexedBlock, whereIndexed } from '../../api/payments/chain/indexRows.ts'
import { openIndexPool } from '../../api/platform/db/pool.ts'
import { chainSettings } from '../../cli/stack/services.ts'
import { runAudit } from '../../cli/user/audit.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { type SignedReceipt, signedReceipt } from '../../protocol/records/receipt.ts'
import { balanceOf } from '../kit/chain/custody.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { claimableOf } from './onchain.ts'
import { readOrder, type Trader, untilThere } from './trading.ts'

/** One account of the ledger. Assets stand below zero. */
export interface LedgerBalance {
  kind: string
  owner: string
  micros: bigint
}

// Books are looked at again and again, and to connect costs Postgres more than most looks.
const pools = new WeakMap<Stack, pg.Pool>()
const IDLE_MS = 2_000

/** Rows of the stack's database. */
export async function query<Row extends pg.QueryResultRow>(stack: Stack, text: string, values: unknown[] = []) {
  const pool = pools.get(stack) ?? poolOf(stack)
  pools.set(stack, pool)
  return (await pool.query<Row>(text, values)).rows
}

function poolOf({ databaseUrl }: Stack): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true })
  // A connection may end with its server while nobody uses it: the next look has another.
  return pool.on('error', () => {})
}

/** Every account of the ledger on which something stands. */
export async function ledgerBalances(stack: Stack): Promise<LedgerBalance[]> {
  const rows = await query<{ kind: string; owner: string; micros: string }>(
    stack,
    `select account.kind, ledger.owner_name(account.owner_type, account.owner_id) as owner, sum(entry.amount)::text as micros
     from ledger.entries entry join ledger.accounts account on account.id = entry.account_id
     group by 1, 2 having sum(entry.amount) <> 0 order by 1, 2`,
  )
  return rows.map(({ kind, owner, micros }) => ({ kind, owner, micros: BigInt(micros) }))
}

/**
 * Waits until the ledger says what the chain does: what the escrow and the hot wallet hold, what the escrow
 * owes in all, and what each account may withdraw from it. Answers the ledger's balances.
 */
export async function untilBooksMatch(stack: Stack): Promise<LedgerBalance[]> {
  const read = async () => {
    const balances = await ledgerBalances(stack)
    return { balances, booked: asText(bookedFacts(balances)), chain: asText(await chainFacts(stack, balances)) }
  }
  const { balances } = await untilThere('the ledger mirrors the chain', read, ({ booked, chain }) => booked === chain)
  await untilReconciled(stack)
  return balances
}

/**
 * Waits until the market says the same of itself, for a block that is yet to come; it must not have found
 * money missing.
 */
async function untilReconciled(stack: Stack): Promise<void> {
  const [newest] = await query<{ id: string }>(stack, 'select coalesce(max(id), 0) as id from market.reconciliations')
  const read = () =>
    query<{ is_ok: boolean; findings: unknown; missed: string[] }>(
      stack,
      `select is_ok, findings, (select coalesce(array_agg(fact), '{}') from market.payout_stops
        where starts_with(fact, 'shortfall:') or starts_with(fact, 'leak:')) as missed
       from market.reconciliations where id > $1 order by id desc limit 1`,
      [newest?.id],
    )
  const [look] = await untilThere('the market finds its books in order', read, ([last]) => last?.is_ok === true)
  if (look?.missed.length) throw new Error(`the market took money for missing: ${look.missed}`)
}

function bookedFacts(balances: readonly LedgerBalance[]) {
  const total = (isIt: (balance: LedgerBalance) => boolean) =>
    balances.filter(isIt).reduce((sum, { micros }) => sum + micros, 0n)
  const claimable = balances.filter(({ kind }) => kind === 'claimable')
  return {
    escrow: -total(({ kind }) => kind === 'escrow_contract'),
    hotWallet: -total(({ kind }) => kind === 'hot_wallet'),
    // The holds of the contract are named by their ids, those in custody by their orders.
    owed: total(({ kind, owner }) => kind === 'claimable' || (kind === 'hold' && owner.startsWith('0x'))),
    claimable: claimable.map(({ owner, micros }) => [owner, micros]),
  }
}

async function chainFacts(stack: Stack, balances: readonly LedgerBalance[]) {
  const { chain } = stack
  const accounts = balances.flatMap(({ kind, owner }) => (kind === 'claimable' && isAddress(owner) ? [owner] : []))
  return {
    escrow: await balanceOf(chain, chain.escrow),
    hotWallet: await balanceOf(chain, chain.accounts.hotWallet.address),
    owed: await chain.client.readContract({ address: chain.escrow, abi: escrowAbi, functionName: 'totalOwed' }),
    claimable: await Promise.all(accounts.map(async (account) => [account, await claimableOf(stack, account)])),
  }
}

/** Waits until nothing is asked of the chain any more, and no money is on its way. */
export async function untilNothingIsOpen(stack: Stack): Promise<void> {
  const read = () =>
    query<{ what: string }>(
      stack,
      `select 'intent ' || key as what from market.intents where closed_at is null
       union all select 'stray ' || key || ' ' || status from market.unmatched_payments where status in ('adopting', 'returning')
       union all select 'payout ' || id || ' ' || state from market.payouts where state in ('pending', 'submitted')`,
    )
  await untilThere('nothing is open', read, (open) => open.length === 0)
}

/** What an auditor finds who has the chain, the published keys and the receipts of these orders. */
export async function auditFindings(stack: Stack, reader: Trader, orderUrns: readonly string[] = []) {
  return (await auditReport(stack, reader, orderUrns)).findings
}

/** The report of an auditor who has the chain, the published keys and the receipts of these orders. */
export async function auditReport(stack: Stack, reader: Trader, orderUrns: readonly string[]) {
  const { body: config } = await reader.client.call('getPublicConfig', {})
  const target = {
    ...stack.chain,
    hotWallet: stack.chain.accounts.hotWallet.address,
    fromBlock: stack.chain.startBlock,
  }
  const receipts = await Promise.all(orderUrns.map((urn) => receiptOf(reader, urn)))
  return runAudit(stack.rpcUrl, target, { fees: { signed: config.fees }, keys: config.keys.keys, receipts })
}

/** The signed receipt of an order whose money has moved, as its party reads it. */
export async function receiptOf(party: Trader, orderUrn: string): Promise<SignedReceipt> {
  const { receipt_urn } = await readOrder(party, orderUrn)
  if (!receipt_urn) throw new Error(`order ${orderUrn} has no receipt`)
  const urn = urnString('receipt', receipt_urn.body)
  return signedReceipt.parse((await party.client.call('getReceipt', { params: { urn } })).body.signed)
}

/** Waits until stray money has found its end. `payer` and `nonce` name a signed payment. */
export function untilStray(stack: Stack, payment: { payer: Address; nonce: Hex | null }, status: string) {
  const read = () =>
    query<{ kind: string; status: string }>(
      stack,
      'select kind, status from market.unmatched_payments where payer = $1 and nonce is not distinct from $2',
      [payment.payer.toLowerCase(), payment.nonce],
    )
  return untilThere(`the stray payment is ${status}`, read, (strays) => strays.some((stray) => stray.status === status))
}

/** The types of the events about an order, in the order readers get them. */
export async function eventTypes(stack: Stack, orderUrn: string): Promise<string[]> {
  const rows = await query<{ event_type: string }>(
    stack,
    `select event_type from market.events where payload->>'order_urn' = $1 order by id`,
    [orderUrn],
  )
  return rows.map(({ event_type }) => event_type)
}

/** Waits until the index has come to the chain's head. */
export async function untilIndexed(stack: Stack): Promise<void> {
  const head = await stack.chain.client.getBlockNumber({ cacheTime: 0 })
  const index = openIndexPool(stack.index.indexUrls.reader, { max: 1, onError: () => {} })
  try {
    const read = async () => (await whereIndexed(() => indexedBlock(index, chainSettings(stack.chain))))?.number
    await untilThere(`block ${head} is indexed`, read, (indexed) => indexed !== undefined && indexed >= head)
  } finally {
    await index.destroy()
  }
}

/** What the worker wants somebody to look at. */
export function alarmsOf(stack: Stack): string[] {
  const lines = stack.log('worker').split('\n')
  return lines.filter((line) => line.includes('"alarm":true'))
}

function asText(facts: unknown): string {
  return JSON.stringify(facts, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}
