/**
 * How an order's cost weighs in reputation, as it is published. `protocol/records/reputationWeight.ts`
 * computes it.
 */
export const WEIGHTING_FUNCTION = 'log(1 + cost_usdc)'
