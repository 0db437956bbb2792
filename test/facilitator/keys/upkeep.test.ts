import { describe, it } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { keccak256, padHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createFeeQuote, type Fees, isOutbid, replacementFees } from '../../../facilitator/chain/fees.ts'
import type { Head } from '../../../facilitator/chain/head.ts'
import { isNextAfter, type Lease } from '../../../facilitator/file/lease.ts'
import type { Live } from '../../../facilitator/keys/internal/sequence.ts'
import { isOver, needOf } from '../../../facilitator/keys/internal/upkeep.ts'
import { Signer } from '../../../facilitator/keys/signer.ts'
import { Signers } from '../../../facilitator/keys/signers.ts'

const NOW = 1_800_000_000n
const head = (baseFeePerGas = 10n): Head => {
  const block = { number: 1n, hash: padHex('0x1', { size: 32 }), timestamp: NOW, baseFeePerGas }
  return { latest: block, confirmed: block } as unknown as Head
}
const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Fees => ({ maxFeePerGas, maxPriorityFeePerGas })

describe('what an unmined transaction needs', () => {
  const account = privateKeyToAccount(padHex(toHex(63), { size: 32 }))
  const live = async (changes: Partial<Live> = {}, of = fees(30n, 2n)): Promise<Live> => {
    const raw = await account.signTransaction({ type: 'eip1559', chainId: 1, nonce: 4, gas: 21_000n, ...of })
    return { nonce: 4, raw, validBefore: null, headsWaited: 3, ...changes } as Live
  }
  const need = async (
    changes: Partial<Live> = {},
    counts: { mined?: number; pending?: number } = {},
    market = fees(30n, 2n),
  ) =>
    needOf(await live(changes), { head: head(), counts: { settled: 0, mined: 4, pending: 5, ...counts }, fees: market })

  it('is a no-op in its place from the second on at which the chain refuses its call', async () => {
    expect([NOW - 1n, NOW, NOW + 1n, null].map((validBefore) => isOver({ validBefore }, head()))).to.deep.equal([
      ...[true, true, false, false],
    ])
    expect(await need({ validBefore: NOW })).to.equal('cancel')
    expect(await need({ validBefore: NOW + 1n })).to.equal('nothing')
  })

  it('is patience for three heads, and a higher fee after nine, if it is the next', async () => {
    const lost = { pending: 4 }
    expect(await need({ headsWaited: undefined })).to.equal('broadcast')
    const waits = [2, 3].map((headsWaited) => need({ headsWaited }, lost))
    expect(await Promise.all(waits)).to.deep.equal(['nothing', 'broadcast'])
    const stuck = [8, 9].map((headsWaited) => need({ headsWaited }))
    expect(await Promise.all(stuck)).to.deep.equal(['nothing', 'raise'])
    expect(await need({ headsWaited: 9 }, { mined: 3 })).to.equal('nothing')
  })

  it('is a higher fee where the market has left it behind', async () => {
    expect(await need({}, {}, fees(40n, 3n))).to.equal('raise')
    expect(await need({ headsWaited: 2 }, {}, fees(40n, 3n))).to.equal('nothing')
    // 10 of the base fee, and the market's tip.
    expect([19n, 20n].map((tip) => isOutbid(fees(30n, 20n), fees(0n, tip), head()))).to.deep.equal([false, false])
    expect(isOutbid(fees(29n, 20n), fees(0n, 20n), head())).to.equal(true)
    expect(isOutbid(fees(30n, 19n), fees(0n, 20n), head())).to.equal(true)
  })
})

describe('the fees of a transaction', () => {
  const quote = async (limit: bigint, tip = 2n) =>
    createFeeQuote({ estimateMaxPriorityFeePerGas: async () => tip } as never, limit)(head())

  it('pay for the next block, with room for a base fee twice as high, within the limit', async () => {
    expect(await quote(100n)).to.deep.equal(fees(22n, 2n))
    expect(await quote(22n)).to.deep.equal(fees(22n, 2n))
    expect(await quote(21n)).to.deep.equal(fees(21n, 2n))
    expect(await quote(12n)).to.deep.equal(fees(12n, 2n))
    expect(await quote(11n)).to.equal(undefined)
  })

  it('are asked for once a block, and again where the node failed', async () => {
    const tips = [new Error('the node failed'), 2n, 3n]
    const estimateMaxPriorityFeePerGas = async () => {
      const tip = tips.shift()
      if (typeof tip === 'bigint') return tip
      throw tip
    }
    const ask = createFeeQuote({ estimateMaxPriorityFeePerGas } as never, 100n)
    expect(await ask(head()).catch((error: Error) => error.message)).to.equal('the node failed')
    const [first, second] = [ask(head()), ask(head())]
    expect(await Promise.all([first, second])).to.deep.equal([fees(22n, 2n), fees(22n, 2n)])
    const next = head()
    next.latest = { ...next.latest, hash: padHex('0x2', { size: 32 }) }
    expect(await ask(next)).to.deep.equal(fees(23n, 3n))
    expect(tips).to.deep.equal([])
  })

  it('rise by an eighth at least to replace one, and not beyond the limit', () => {
    expect(replacementFees(fees(80n, 8n), fees(0n, 0n), 91n)).to.deep.equal(fees(91n, 10n))
    expect(replacementFees(fees(80n, 8n), fees(0n, 0n), 90n)).to.equal(undefined)
    expect(replacementFees(fees(80n, 8n), fees(120n, 12n), 120n)).to.deep.equal(fees(120n, 12n))
  })
})

describe('a lease that was taken again', () => {
  const lease = (...fencings: bigint[]): Lease => ({
    keys: ['a', 'b'].slice(0, fencings.length),
    fencings,
    identity: '',
    seconds: 1,
  })

  it('is next after the former one, where nobody had any of its keys in between', () => {
    expect(isNextAfter(lease(4n, 7n), lease(5n, 8n))).to.equal(true)
    expect(isNextAfter(lease(4n), lease(5n, 1n))).to.equal(true)
    for (const next of [lease(6n, 8n), lease(5n, 9n), lease(5n, 7n), lease(6n, 9n)])
      expect(isNextAfter(lease(4n, 7n), next)).to.equal(false)
    expect(isNextAfter(lease(4n), lease(5n, 2n))).to.equal(false)
    expect(isNextAfter(lease(4n, 7n), { ...lease(8n, 5n), keys: ['b', 'a'] })).to.equal(true)
  })
})

describe('the signer that sends next', () => {
  const signer = (address: string, inFlight: number) => ({ address, inFlight }) as unknown as Signer
  const among = (...working: Signer[]) =>
    new Signers({ submitter: working, resolver: [] }, [], pino({ enabled: false }))

  it('has the fewest transactions under way, and room for one', () => {
    const [busy, free, full] = [signer('0x1', 99), signer('0x2', 98), signer('0x3', 100)]
    expect(among(busy, free, full).pick('submitter')).to.equal(free)
    expect(among(busy, full).pick('submitter')).to.equal(busy)
    expect(among(full).pick('submitter')).to.equal(undefined)
    expect([among(busy).hasRoom('submitter'), among(full).hasRoom('submitter')]).to.deep.equal([true, false])
  })

  it('is one without gas only where no other has room', () => {
    const [poor, rich] = [signer('0x1', 0), signer('0x2', 99)]
    const signers = among(poor, rich)
    signers.setPoor(['0x1'])
    expect(signers.pick('submitter')).to.equal(rich)
    expect(among(poor, signer('0x3', 100)).pick('submitter')).to.equal(poor)
  })
})

describe('a signer whose final transaction the chain lost', () => {
  it('reads it from the file, and broadcasts the same bytes again', async () => {
    const account = privateKeyToAccount(padHex(toHex(64), { size: 32 }))
    const of = { maxFeePerGas: 30n, maxPriorityFeePerGas: 2n }
    const raw = await account.signTransaction({ type: 'eip1559', chainId: 1, nonce: 1, gas: 21_000n, ...of })
    let counted = 2
    const sent: string[] = []
    const read: number[] = []
    const client = {
      getTransactionCount: async () => counted,
      sendRawTransaction: async ({ serializedTransaction }: { serializedTransaction: string }) => {
        sent.push(serializedTransaction)
      },
    }
    const store = {
      transactionsFrom: async (_address: string, settled: number) => {
        read.push(settled)
        return settled <= 1 ? [{ nonce: 1, hash: keccak256(raw), raw, validBefore: null }] : []
      },
    }
    const signer = new Signer({
      ...{ address: account.address, account, chainId: 1, maxFeePerGas: 100n, log: pino({ enabled: false }) },
      ...{ client: client as never, store: store as never, feeQuote: async () => of },
    })
    await signer.maintain(head())
    expect({ sent, isIdle: signer.isIdle }).to.deep.equal({ sent: [], isIdle: true })
    counted = 1
    await signer.maintain({ ...head(), latest: { ...head().latest, hash: padHex('0x2', { size: 32 }) } })
    expect({ sent, read }).to.deep.equal({ sent: [raw], read: [2, 1] })
  })
})
