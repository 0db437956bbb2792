import type { PageRoute } from '../../shell/routes.tsx'

export const accountPages: PageRoute[] = []
