import type { ProblemTypes } from '../../errors.ts'

export const threadProblems = {
  invalidPayload: {
    name: 'messages/invalid-payload',
    status: 422,
    title: 'The payload does not match the message kind',
  },
  sealRequired: {
    name: 'messages/seal-required',
    status: 422,
    title: 'The thread requires sealed messages, or accepts none',
  },
  sealInvalid: {
    name: 'messages/seal-invalid',
    status: 422,
    title: 'The message is not sealed as this thread requires',
  },
  sealReused: { name: 'messages/seal-reused', status: 409, title: 'A sealed message can be posted once' },
  disclosureRefused: { name: 'messages/disclosure-refused', status: 422, title: 'The key does not open this message' },
  none: { name: 'proposals/none', status: 422, title: 'This message is not a proposal' },
  otherDigest: { name: 'proposals/other-digest', status: 422, title: 'The digest does not match the proposal' },
  superseded: { name: 'proposals/superseded', status: 409, title: 'This proposal is no longer valid' },
} as const satisfies ProblemTypes
