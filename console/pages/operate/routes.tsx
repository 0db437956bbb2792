import { PATHS } from '../../routing/paths.ts'
import type { PageRoute } from '../../routing/routes.tsx'

export const operatePages: PageRoute[] = [
  { path: PATHS.operate, load: () => import('./internal/Operate.tsx').then((file) => file.Operate) },
  { path: PATHS.books, load: () => import('./books/Books.tsx').then((file) => file.Books) },
  { path: PATHS.payouts, load: () => import('./payouts/Payouts.tsx').then((file) => file.Payouts) },
  { path: PATHS.reviews, load: () => import('./reviews/Reviews.tsx').then((file) => file.Reviews) },
  { path: PATHS.review, load: () => import('./reviews/Review.tsx').then((file) => file.Review) },
  { path: PATHS.quarantine, load: () => import('./internal/Quarantine.tsx').then((file) => file.Quarantine) },
  { path: PATHS.keys, load: () => import('./internal/Keys.tsx').then((file) => file.Keys) },
  { path: PATHS.people, load: () => import('./people/People.tsx').then((file) => file.People) },
  { path: PATHS.person, load: () => import('./people/Person.tsx').then((file) => file.Person) },
  { path: PATHS.audit, load: () => import('./audit/Audit.tsx').then((file) => file.Audit) },
]
