import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Hex, padHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { PayoutAuthorization } from '../../../facilitator/context/records.ts'
import type { Pass } from '../../../facilitator/evidence/pass.ts'
import { openAuthorizationFile } from '../../../facilitator/file/authorizationFile.ts'
import {
  type Content,
  type Entry,
  MOST_FOREIGN,
  nextEntry,
  readChain,
  START,
} from '../../../facilitator/file/fileChain.ts'
import { SignedAuthorizations, VALIDITY_SECONDS } from '../../../facilitator/file/signedAuthorizations.ts'
import { isRestoredRecently, usableAuthorization } from '../../../facilitator/proof/authorizations.ts'

const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const account = (seed: number): Hex => padHex(toHex(seed), { size: 20 })
const [hotWallet, thief] = [privateKeyToAccount(hash(61)), privateKeyToAccount(hash(62))]
const owner = (by = hotWallet) => ({
  at: { chainId: 31_337, escrow: account(0xe), hotWallet: hotWallet.address, token: account(0x7), startBlock: 0n },
  hotWallet: by,
})
const DAY = 86_400n
const NOW = 1_800_000_000n
const payout = (
  seed: number,
  amountMicros: bigint,
  changes: Partial<PayoutAuthorization> = {},
): PayoutAuthorization => ({
  ...{ nonce: hash(seed), leg: 'payee', recipient: account(seed), amountMicros, validBefore: NOW + VALIDITY_SECONDS },
  ...{ signature: hash(seed) },
  ...changes,
})

/** A moment at which both clocks say the same. */
const at = (now: bigint) => ({ earlierTime: now, laterTime: now })

describe('the day’s limit of what is signed for sellers', () => {
  const open = (dailyPayoutMicros: bigint, signedAuthorizations = new SignedAuthorizations()) => {
    const written: Entry[][] = []
    const context = { ...owner(), limits: { dailyPayoutMicros }, signedAuthorizations }
    const store = {
      addAuthorizations: async (entries: readonly Entry[]) => {
        written.push([...entries])
      },
      addIdentity: async () => {},
    }
    const file = openAuthorizationFile(context as never, store as never, START)
    /** All at once: the first is written by itself, the others together after it. */
    const addAll = (...authorizations: PayoutAuthorization[]) =>
      Promise.all(authorizations.map((authorization) => file.add({ authorization, during: at(NOW) })))
    return { addAll, written, signedAuthorizations }
  }

  it('holds what is signed together, and exactly', async () => {
    const { addAll, written, signedAuthorizations } = open(100n)
    const others = [payout(3, 26n), payout(4, 20n), payout(5, 3n), payout(6, 2n), payout(7, 1n)]
    const all = await addAll(payout(1, 40n), payout(2, 35n), ...others)
    expect(all).to.deep.equal([true, true, false, true, true, true, false])
    expect(written.map(({ length }) => length)).to.deep.equal([1, 4])
    const entries = written.flat()
    expect(entries.map(({ number }) => number)).to.deep.equal([1n, 2n, 3n, 4n, 5n])
    expect(entries.map(({ previous }) => previous)).to.deep.equal([
      START.hash,
      ...entries.slice(0, -1).map(({ hash }) => hash),
    ])
    const { number, hash } = entries.at(-1) ?? START
    expect(signedAuthorizations).to.deep.include({ isContinuous: true, head: { number, hash } })
  })

  it('counts each nonce once, also in what is signed together, and no refund', async () => {
    const { addAll } = open(100n)
    const refund = payout(9, 1_000n, { leg: 'payer' })
    const again = payout(2, 60n, { signature: hash(22) })
    const all = await addAll(payout(1, 40n), payout(2, 60n), again, refund, payout(1, 40n), payout(3, 1n))
    expect(all).to.deep.equal([true, true, true, true, true, false])
  })

  it('is of what was signed within 24 hours', async () => {
    const signed = new SignedAuthorizations()
    const { addAll } = open(100n, signed)
    const signedAt = (seconds: bigint) => ({ validBefore: NOW + VALIDITY_SECONDS - DAY + seconds })
    signed.add(payout(7, 60n, signedAt(0n)), at(NOW - DAY))
    expect(await addAll(payout(1, 100n))).to.deep.equal([true])
    const later = open(100n)
    later.signedAuthorizations.add(payout(7, 60n, signedAt(1n)), at(NOW - DAY + 1n))
    expect(await later.addAll(payout(1, 41n), payout(2, 40n))).to.deep.equal([false, true])
    const farAhead = open(100n)
    farAhead.signedAuthorizations.add(payout(7, 100n, { validBefore: NOW + 3_650n * DAY }), at(NOW))
    expect(await farAhead.addAll(payout(1, 100n)), 'one that a wrong clock dated').to.deep.equal([true])
  })
})

describe('the authorization under a nonce that may still be mined', () => {
  it('is the one that is valid longest, of those that are not over at confirmed depth', () => {
    const usable = (...ends: bigint[]) => {
      const signedAuthorizations = new SignedAuthorizations()
      for (const [index, validBefore] of ends.entries())
        signedAuthorizations.add(payout(1, 1n, { validBefore, signature: hash(index) }), at(NOW))
      const pass = { signedAuthorizations, head: { earlierTime: NOW } } as Pass
      return usableAuthorization(pass, hash(1))?.validBefore
    }
    expect(usable()).to.equal(undefined)
    expect(usable(NOW - 1n)).to.equal(undefined)
    expect(usable(NOW)).to.equal(undefined)
    expect(usable(NOW + 1n)).to.equal(NOW + 1n)
    expect(usable(NOW + 2n, NOW + 3n, NOW + 1n)).to.equal(NOW + 3n)
  })
})

describe('a file that was restored', () => {
  it('may lack what can still be used until the hot wallet signs again', () => {
    const isRecent = (seconds: bigint) =>
      isRestoredRecently({ signsFrom: NOW, head: { earlierTime: NOW + seconds } } as Pass)
    expect([isRecent(-1n), isRecent(0n), isRecent(1n)]).to.deep.equal([true, false, false])
  })
})

describe('the entries of the file', () => {
  const identity = { kind: 'identity', identity: 'copy', signsFrom: NOW } as const
  const chainOf = async (contents: readonly Content[], by = owner()) => {
    const entries: Entry[] = []
    for (const content of contents) entries.push(await nextEntry(by, entries.at(-1) ?? START, content))
    return entries
  }
  const signed = (seed: number, changes?: Partial<PayoutAuthorization>): Content => {
    return { kind: 'authorization', authorization: payout(seed, 1n, changes) }
  }
  /** Rows as the database pages them, two at a time. */
  const pagesOf = (rows: readonly Entry[]) => {
    const sorted = rows.toSorted((one, other) => {
      if (one.number !== other.number) return one.number < other.number ? 1 : -1
      return one.hash < other.hash ? 1 : -1
    })
    return async ({ number, hash }: { number: bigint; hash: string }) =>
      sorted.filter((row) => row.number < number || (row.number === number && row.hash < hash)).slice(0, 2)
  }
  const read = async (rows: readonly Entry[], after = NOW) => {
    const identitiesBefore = pagesOf(rows.filter(({ content }) => content.kind === 'identity'))
    const file = await readChain(owner(), { entriesBefore: pagesOf(rows), identitiesBefore }, after)
    const [nonces, head] = [file.authorizations.map(({ nonce }) => Number(nonce)), file.head?.number]
    const { isChained, foreign, isCut, newest } = file
    return { ...{ nonces, head, isChained, foreign, isCut, newest }, identity: file.identity?.number }
  }

  it('are read from the newest back, in whatever order the rows come', async () => {
    const rows = await chainOf([identity, signed(1), signed(2)])
    const whole = {
      ...{ nonces: [2, 1], head: 3n, isChained: true, identity: 1n },
      ...{ foreign: 0, isCut: false, newest: 3n },
    }
    expect(await read(rows)).to.deep.equal(whole)
    expect(await read(rows.toReversed())).to.deep.equal(whole)
    const empty = { nonces: [], head: undefined, identity: undefined, newest: 0n }
    expect(await read([])).to.deep.equal({ ...whole, ...empty })
  })

  it('are those that the key sealed: what another sealed, nobody did, or somebody changed is counted', async () => {
    const [first, second, third] = (await chainOf([identity, signed(1), signed(2)])) as [Entry, Entry, Entry]
    const stolen = await nextEntry(owner(thief), third, signed(5))
    const content = signed(6)
    const rows: Entry[] = [
      stolen,
      { ...stolen, seal: '0x' },
      { ...stolen, seal: hash(1) },
      { ...third, number: 9n },
      { ...third, content },
    ]
    for (const row of rows) {
      const { nonces, head, isChained, foreign } = await read([first, second, third, row])
      expect({ nonces, head, isChained, foreign }).to.deep.equal({
        ...{ nonces: [2, 1], head: 3n, isChained: true, foreign: 1 },
      })
    }
  })

  it('are no whole file where one is missing above the newest identity, or two go on from one place', async () => {
    const [first, second, third] = (await chainOf([identity, signed(1), signed(2)])) as [Entry, Entry, Entry]
    expect((await read([first, third])).isChained).to.equal(false)
    expect((await read([second, third])).isChained).to.equal(false)
    const over = { validBefore: NOW }
    const [begin, old, recent] = (await chainOf([identity, signed(1, over), signed(2)])) as [Entry, Entry, Entry]
    expect(await read([old, recent])).to.include({ isChained: true, identity: undefined })
    expect(await read([begin, old, recent])).to.include({ isChained: true, identity: 1n })
    const fork = await nextEntry(owner(), first, signed(3))
    expect(await read([first, second, third, fork])).to.include({ head: 3n, isChained: false })
    const anew = await nextEntry(owner(), third, identity)
    expect(await read([first, anew])).to.include({ head: 4n, isChained: true, identity: 4n })
    expect(await read([first, second, third, fork, anew])).to.include({ head: 4n, isChained: true, identity: 4n })
  })
  it('are found below a few rows of others; below many, a new beginning above all of them is found at once', async () => {
    const whole = await chainOf([identity, signed(1), signed(2)])
    const junk = (count: number) =>
      Array.from({ length: count }, (_, index): Entry => ({ ...(whole[1] as Entry), number: BigInt(index + 4) }))
    const few = await read([...whole, ...junk(MOST_FOREIGN - 1)])
    expect(few).to.deep.include({ nonces: [2, 1], isChained: true, isCut: false, foreign: MOST_FOREIGN - 1 })
    const many = junk(MOST_FOREIGN)
    const { newest, ...cut } = await read([...whole, ...many])
    expect(cut).to.deep.include({ nonces: [], head: undefined, isChained: false, isCut: true, foreign: MOST_FOREIGN })
    const anew = await nextEntry(owner(), { ...START, number: newest }, identity)
    const after = await nextEntry(owner(), anew, signed(3))
    expect(await read([...whole, ...many, anew, after])).to.deep.include({
      ...{ nonces: [3], head: after.number, identity: anew.number, isChained: true, isCut: false },
    })
  })
})
