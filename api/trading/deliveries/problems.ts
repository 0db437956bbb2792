import type { ProblemTypes } from '../../errors.ts'

export const deliveryProblems = {
  wrongHash: { name: 'deliveries/wrong-hash', status: 422, title: 'The upload does not have the stated hash' },
  tooMany: { name: 'deliveries/too-many', status: 409, title: 'The order has the maximum number of uploads' },
  linkExpired: { name: 'deliveries/link-expired', status: 403, title: 'This link has expired' },
} as const satisfies ProblemTypes
