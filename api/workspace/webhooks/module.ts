import type { Module } from '../../module.ts'
import { defineNotices } from '../notifications/kinds.ts'

export const webhookNotices = defineNotices({
  'webhook.stopped': { title: 'A webhook is not sent to any more', role: 'admin' },
})

/** What the service knows through this folder. */
export const orgWebhooks = { notices: webhookNotices, schema: ['api/workspace/webhooks/schema.sql'] } satisfies Module
