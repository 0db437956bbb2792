import { defineNotices } from '../notifications/kinds.ts'

export const confirmationNotices = defineNotices({
  'confirmation.requested': { title: 'An agent of yours asks you', role: 'approver' },
})
