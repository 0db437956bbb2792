import type pg from 'pg'
import type { Address } from 'viem'

/** The keys, who holds them, and for how long after each write. */
export interface LeaseOptions {
  keys: readonly Address[]
  /** A process: it takes back its own lease at once. */
  holder: string
  leaseMs: number
}

/**
 * The right to sign with some keys, which one facilitator has at a time. Each take of a key has a higher
 * fencing number.
 */
export interface Lease {
  keys: readonly string[]
  fencings: readonly bigint[]
  /** The copy of the database that it was taken in. */
  identity: string
  seconds: number
}

/**
 * Another facilitator has taken over, or this is another copy of the database by now: nothing more may be
 * written.
 */
export class LeaseLost extends Error {}

/**
 * Takes the lease of all these keys, if each lease has ended or was the holder's own. Returns undefined and
 * takes none while another process holds one of them. Throws any error of pg.
 */
export async function takeLease(
  client: pg.Client,
  { keys, holder, leaseMs }: LeaseOptions,
): Promise<Lease | undefined> {
  const names = keys.map((key) => key.toLowerCase()).sort()
  const seconds = leaseMs / 1_000
  await client.query(
    `insert into facilitator.leases (key, holder, fencing, ends_at)
     select key, $2, 0, '-infinity' from unnest($1::text[]) key on conflict do nothing`,
    [names, holder],
  )
  await client.query('begin; set local synchronous_commit = on')
  // Whoever has locked a row is taking it, or extending it.
  const { rows } = await client.query<{ key: string; fencing: string; identity: string }>(
    `with free as (
       select key from facilitator.leases
       where key = any ($1) and (ends_at <= clock_timestamp() or holder = $2) for update skip locked)
     update facilitator.leases lease
     set holder = $2, fencing = fencing + 1, ends_at = clock_timestamp() + make_interval(secs => $3)
     from free where lease.key = free.key returning lease.key, fencing, facilitator.current_identity() as identity`,
    [names, holder, seconds],
  )
  const [first] = rows
  const isWhole = first !== undefined && rows.length === names.length
  await client.query(isWhole ? 'commit' : 'rollback')
  if (!isWhole) return undefined
  const fencings = rows.map(({ fencing }) => BigInt(fencing))
  return { keys: rows.map(({ key }) => key), fencings, identity: first.identity, seconds }
}

/** Returns whether nobody held these keys between two leases of one process. */
export function isNextAfter(former: Lease, next: Lease): boolean {
  const fencingOf = new Map(former.keys.map((key, index) => [key, former.fencings[index]]))
  return next.keys.every((key, index) => next.fencings[index] === (fencingOf.get(key) ?? 0n) + 1n)
}

/**
 * Returns a statement that locks the rows of the lease, and writes only if nobody has taken a key since, in
 * the copy of the database that the lease was taken in: a pooler may have led the session to a standby that
 * was promoted. It extends the lease if a third of its time is over: each extension writes a row a key. What
 * is written is on disk before the answer, whatever the role has set for its sessions, because a transaction
 * is sent once it is on file. `insert` has the condition `(select is_held from lease)`. The statement returns
 * one row: whether the lease is held (`is_held`), and the number of rows written. Its parameters are the
 * `given` ones of `insert`, then those of leaseValues.
 */
export function underLease(insert: string | undefined, given: number): string {
  const [keys, fencings, seconds, identity] = [1, 2, 3, 4].map((place) => `$${given + place}`)
  const inFull = `clock_timestamp() + make_interval(secs => ${seconds}::float8)`
  const inPart = `clock_timestamp() + make_interval(secs => ${seconds}::float8 * 2 / 3)`
  return `with held as (
      select leases.key from facilitator.leases
      join unnest(${keys}::text[], ${fencings}::bigint[]) ours (key, fencing)
        on leases.key = ours.key and leases.fencing = ours.fencing
      for update of leases),
    extended as (
      update facilitator.leases set ends_at = ${inFull}
      where key in (select key from held) and ends_at not between ${inPart} and ${inFull}),
    lease as (
      select set_config('synchronous_commit', 'on', true) = 'on' and count(*) = cardinality(${keys}::text[])
        and facilitator.current_identity() = ${identity} as is_held from held),
    written as (${insert ? `${insert} returning 1` : 'select where false'})
    select is_held, (select count(*) from written)::integer as written from lease`
}

/** Returns the parameters of a lease for `underLease`; with no time, to end it. */
export function leaseValues({ keys, fencings, identity, seconds }: Lease, lasts = seconds): unknown[] {
  return [keys, fencings.map(String), lasts, identity]
}
