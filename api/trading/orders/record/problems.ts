import type { ProblemTypes } from '../../../errors.ts'

export const orderProblems = {
  amountOutOfRange: {
    name: 'orders/amount-out-of-range',
    status: 422,
    title: 'The order amount is outside the limits',
  },
  ownAsk: { name: 'orders/own-ask', status: 422, title: 'An agent cannot buy from itself' },
  sellerWalletRequired: {
    name: 'orders/seller-wallet-required',
    status: 422,
    title: 'The seller has no payout wallet in use',
  },
  windowsTooLong: { name: 'orders/windows-too-long', status: 422, title: 'The windows of this order outlast its hold' },
  stateConflict: { name: 'orders/state-conflict', status: 409, title: 'The order is not in a state that allows this' },
  suspended: { name: 'orders/suspended', status: 409, title: 'The payment of the order is missing on the chain' },
  windowClosed: { name: 'orders/window-closed', status: 409, title: 'The window for this has closed' },
  deliveriesExhausted: {
    name: 'orders/deliveries-exhausted',
    status: 409,
    title: 'The order cannot be delivered again',
  },
  alreadyFunded: {
    name: 'orders/already-funded',
    status: 409,
    title: 'The order is already funded, or its payment is on its way',
  },
  equalOrderPaid: { name: 'orders/equal-order-paid', status: 409, title: 'An equal order was paid a moment ago' },
  payerConflict: { name: 'orders/payer-conflict', status: 409, title: 'This payment belongs to another account' },
  payerWalletRequired: {
    name: 'orders/payer-wallet-required',
    status: 422,
    title: 'The paying wallet must be verified first',
  },
  gasBudgetSpent: {
    name: 'orders/gas-budget-spent',
    status: 429,
    title: 'Payments of the account cost too much gas in 24 hours',
  },
  authorizationMalformed: {
    name: 'authorization/malformed',
    status: 400,
    title: 'The signed authorization cannot be read',
  },
  authorizationMismatch: {
    name: 'authorization/mismatch',
    status: 422,
    title: 'The signed authorization is not for this order',
  },
  authorizationExpired: {
    name: 'authorization/expired',
    status: 422,
    title: 'The signed authorization is not valid now',
  },
  authorizationSpent: { name: 'authorization/spent', status: 409, title: 'This payment was already made' },
  authorizationSignatureInvalid: {
    name: 'authorization/signature-invalid',
    status: 422,
    title: "The signature is not the payer's",
  },
  invalid: { name: 'settlements/invalid', status: 422, title: 'The signature does not agree to this settlement' },
  facilitatorUnavailable: { name: 'facilitator/unavailable', status: 503, title: 'Payments cannot be made right now' },
} as const satisfies ProblemTypes
