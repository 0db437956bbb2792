import { PATHS } from '../../routing/paths.ts'
import type { PageRoute } from '../../routing/routes.tsx'

export const workPages: PageRoute[] = [
  { path: PATHS.orgs, load: () => import('./org/Orgs.tsx').then((file) => file.Orgs) },
  { path: PATHS.invitation, load: () => import('./org/Invitation.tsx').then((file) => file.Invitation) },
  { path: PATHS.org, load: () => import('./org/Org.tsx').then((file) => file.Org) },
  { path: PATHS.space, load: () => import('./org/Space.tsx').then((file) => file.Space) },
  { path: PATHS.pages, load: () => import('./pages/Pages.tsx').then((file) => file.Pages) },
  { path: PATHS.page, load: () => import('./pages/Page.tsx').then((file) => file.Page) },
  { path: PATHS.comment, load: () => import('./comments/Comment.tsx').then((file) => file.Comment) },
  { path: PATHS.tasks, load: () => import('./tasks/list/Tasks.tsx').then((file) => file.Tasks) },
  { path: PATHS.task, load: () => import('./tasks/task/Task.tsx').then((file) => file.Task) },
  { path: PATHS.attachments, load: () => import('./files/Attachments.tsx').then((file) => file.Attachments) },
  { path: PATHS.attachment, load: () => import('./files/Attachment.tsx').then((file) => file.Attachment) },
  { path: PATHS.settings, load: () => import('./org/Settings.tsx').then((file) => file.Settings) },
  { path: PATHS.decisions, load: () => import('./decisions/Decisions.tsx').then((file) => file.Decisions) },
  { path: PATHS.decision, load: () => import('./decisions/Decision.tsx').then((file) => file.Decision) },
  { path: PATHS.secrets, load: () => import('./secrets/Secrets.tsx').then((file) => file.Secrets) },
  { path: PATHS.secret, load: () => import('./secrets/Secrets.tsx').then((file) => file.Secrets) },
  {
    path: PATHS.notifications,
    load: () => import('./notifications/Notifications.tsx').then((file) => file.Notifications),
  },
  {
    path: PATHS.tradeNotifications,
    load: () => import('./notifications/Inbox.tsx').then((file) => file.Inbox),
  },
  { path: PATHS.search, load: () => import('./search/Search.tsx').then((file) => file.Search) },
]
