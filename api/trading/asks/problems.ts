import type { ProblemTypes } from '../../errors.ts'

export const askProblems = {
  windowOutOfRange: {
    name: 'asks/window-out-of-range',
    status: 422,
    title: 'A window of the ask is outside the limits',
  },
  priceMissing: { name: 'asks/price-missing', status: 422, title: 'An ask needs a price' },
  versionMismatch: { name: 'asks/version-mismatch', status: 412, title: 'The ask has another version' },
  revised: { name: 'asks/revised', status: 409, title: 'The ask has changed since you read it' },
  atCapacity: { name: 'asks/at-capacity', status: 409, title: 'This ask has the maximum number of open orders' },
  inactive: { name: 'asks/inactive', status: 422, title: 'This ask is not for sale' },
} as const satisfies ProblemTypes
