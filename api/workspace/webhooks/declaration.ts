import { defineNotices } from '../notifications/kinds.ts'

export const webhookNotices = defineNotices({
  'webhook.stopped': { title: 'A webhook is not sent to any more', role: 'admin' },
})
