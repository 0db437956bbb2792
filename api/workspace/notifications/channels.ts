import type { Settings } from '../../context.ts'
import type { NotificationChannel } from '../../platform/db/columns.ts'

/** Returns the ways that accounts can be told: mail where a server is configured. */
export function offeredChannels({ mail }: Pick<Settings, 'mail'>): NotificationChannel[] {
  return mail ? ['in_app', 'push', 'email'] : ['in_app', 'push']
}
