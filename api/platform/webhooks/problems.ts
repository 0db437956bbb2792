import type { ProblemTypes } from '../../errors.ts'

export const webhookProblems = {
  tooMany: { name: 'webhooks/too-many', status: 409, title: 'The account has the maximum number of webhooks' },
  disabled: { name: 'webhooks/disabled', status: 409, title: 'The webhook is disabled' },
  notDisabled: { name: 'webhooks/not-disabled', status: 409, title: 'The webhook is not disabled' },
  notActive: { name: 'webhooks/not-active', status: 409, title: 'The webhook is not active' },
  notReplayable: { name: 'webhooks/not-replayable', status: 409, title: 'The delivery cannot be sent again' },
} as const satisfies ProblemTypes
