import fc from 'fast-check'

/** What goes wrong while one thing is done. */
export interface Mishap {
  /**
   * The connection is cut at a statement of the transaction, or when all is done but the commit; the commit
   * is never heard of; two do the same at once; the chain takes the fact back and shows it again, or
   * everything since the trade began.
   */
  kind: 'none' | 'cut' | 'crash' | 'unheard' | 'twice' | 'reorganisation' | 'deep reorganisation'
  /** At which statement the connection is cut. */
  statement: number
}

interface Common {
  amountMicros: bigint
  /** What goes wrong on the way, step after step; nothing once they are used up. */
  mishaps: Mishap[]
  /** The chain takes all of it back, for good: when the money has come, or at the end. */
  isLost: 'never' | 'at once' | 'at the end'
}

/**
 * How the money of an order comes. `unclaimed`: from a wallet that nobody knows until its buyer presents what
 * it signed. `late`: after the order was called off.
 */
type Arrival = 'signed' | 'unclaimed' | 'late'

export interface ContractPlan extends Common {
  kind: 'contract'
  /**
   * `adopted`: past the contract, which makes it a hold afterwards; `claimed and adopted`: the same,
   * unclaimed; `returned`: the same, of an order called off meanwhile; `second`: after a stranger's hold
   * under the same terms.
   */
  arrival: Arrival | 'adopted' | 'claimed and adopted' | 'returned' | 'second'
  ending: 'by us' | 'by its payer' | 'by its payee' | 'reclaimed'
  refundPermille: number
}

export interface CustodyPlan extends Common {
  kind: 'custodied'
  /** `forgotten`: of an order that this copy of the database has never had. */
  arrival: Arrival | 'forgotten'
  refundPermille: number
  /** Its seller has verified no wallet when it is to be paid. */
  isBlocked: boolean
  /** How often each payout fails before it goes through: after three times its owner names a wallet again. */
  failures: number
  /** The chain shows the payouts first: this is an earlier copy of the database. */
  isAhead: boolean
}

/** Money that comes unasked. */
export interface StrayPlan extends Common {
  kind: 'stray'
  to: 'escrow' | 'hotWallet'
  isSigned: boolean
  failures: number
  isRescued: boolean
}

/** What is beyond the ceiling goes to the cold wallet, and some of it comes back. */
export interface ReservePlan extends Common {
  kind: 'reserve'
  failures: number
  refillPermille: number
}

export type Plan = ContractPlan | CustodyPlan | StrayPlan | ReservePlan

const common = {
  amountMicros: fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, 2_000_000n), fc.bigInt(1n, 10_000_000_000n)),
  mishaps: fc.array(
    fc.record<Mishap>({
      kind: fc.constantFrom('none', 'cut', 'crash', 'unheard', 'twice', 'reorganisation', 'deep reorganisation'),
      statement: fc.integer({ min: 1, max: 15 }),
    }),
    { maxLength: 12 },
  ),
  isLost: fc.constantFrom('never', 'never', 'never', 'at once', 'at the end'),
} as const
const permille = fc.oneof(fc.constant(0), fc.constant(1_000), fc.integer({ min: 0, max: 1_000 }))
const failures = fc.integer({ min: 0, max: 4 })

const contractPlan = fc.record<ContractPlan>({
  ...common,
  kind: fc.constant('contract'),
  arrival: fc.constantFrom('signed', 'unclaimed', 'late', 'adopted', 'claimed and adopted', 'returned', 'second'),
  ending: fc.constantFrom('by us', 'by us', 'by its payer', 'by its payee', 'reclaimed'),
  refundPermille: permille,
})

const custodyPlan = fc.record<CustodyPlan>({
  ...common,
  kind: fc.constant('custodied'),
  arrival: fc.constantFrom('signed', 'signed', 'unclaimed', 'late', 'forgotten'),
  refundPermille: permille,
  isBlocked: fc.boolean(),
  failures,
  isAhead: fc.boolean(),
})

const strayPlan = fc.record<StrayPlan>({
  ...common,
  kind: fc.constant('stray'),
  to: fc.constantFrom('escrow', 'hotWallet'),
  isSigned: fc.boolean(),
  failures: fc.integer({ min: 0, max: 2 }),
  isRescued: fc.boolean(),
})

const reservePlan = fc.record<ReservePlan>({
  ...common,
  kind: fc.constant('reserve'),
  failures,
  refillPermille: permille,
})

export const plan: fc.Arbitrary<Plan> = fc.oneof(
  { arbitrary: contractPlan, weight: 4 },
  { arbitrary: custodyPlan, weight: 4 },
  { arbitrary: strayPlan, weight: 1 },
  { arbitrary: reservePlan, weight: 1 },
)
