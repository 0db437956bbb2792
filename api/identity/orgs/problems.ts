import type { ProblemTypes } from '../../errors.ts'

export const orgProblems = {
  tooMany: { name: 'orgs/too-many', status: 409, title: 'The person owns the maximum number of orgs' },
  slugTaken: { name: 'orgs/slug-taken', status: 409, title: 'This slug is taken' },
  alreadyInvited: { name: 'orgs/already-invited', status: 409, title: 'This address is already invited' },
  alreadyMember: { name: 'orgs/already-member', status: 409, title: 'This person is already a member' },
  lastOwner: { name: 'orgs/last-owner', status: 409, title: 'An org needs an owner' },
  notEmpty: { name: 'orgs/not-empty', status: 409, title: 'The org has other members' },
} as const satisfies ProblemTypes
