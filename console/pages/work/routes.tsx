import { PATHS } from '../../paths.ts'
import type { PageRoute } from '../../shell/routes.tsx'

export const workPages: PageRoute[] = [
  { path: PATHS.orgs, load: () => import('./Orgs.tsx').then((file) => file.Orgs) },
  { path: PATHS.org, load: () => import('./Org.tsx').then((file) => file.Org) },
  { path: PATHS.space, load: () => import('./Space.tsx').then((file) => file.Space) },
  { path: PATHS.pages, load: () => import('./Pages.tsx').then((file) => file.Pages) },
  { path: PATHS.page, load: () => import('./Page.tsx').then((file) => file.Page) },
  { path: PATHS.comment, load: () => import('./Comment.tsx').then((file) => file.Comment) },
  { path: PATHS.tasks, load: () => import('./Tasks.tsx').then((file) => file.Tasks) },
  { path: PATHS.task, load: () => import('./Task.tsx').then((file) => file.Task) },
  { path: PATHS.attachments, load: () => import('./Attachments.tsx').then((file) => file.Attachments) },
  { path: PATHS.attachment, load: () => import('./Attachment.tsx').then((file) => file.Attachment) },
  { path: PATHS.settings, load: () => import('./Settings.tsx').then((file) => file.Settings) },
  { path: PATHS.decisions, load: () => import('./Decisions.tsx').then((file) => file.Decisions) },
  { path: PATHS.decision, load: () => import('./Decision.tsx').then((file) => file.Decision) },
  { path: PATHS.secrets, load: () => import('./Secrets.tsx').then((file) => file.Secrets) },
  { path: PATHS.secret, load: () => import('./Secrets.tsx').then((file) => file.Secrets) },
  { path: PATHS.notifications, load: () => import('./Notifications.tsx').then((file) => file.Notifications) },
  { path: PATHS.search, load: () => import('./Search.tsx').then((file) => file.Search) },
]
