import type { Settings } from '../../context.ts'
import { announcementKind } from '../announcements/announce.ts'

/**
 * The service stopped sending to a webhook of an org: every attempt failed, or its receiver answered that it
 * is gone.
 */
export interface OrgWebhookStopped {
  webhookId: string
  orgId: string
}
export const OrgWebhookStopped = announcementKind<OrgWebhookStopped, Pick<Settings, 'reactions'>>('OrgWebhookStopped')
