import type { PageRoute } from '../../shell/routes.tsx'

export const operatePages: PageRoute[] = []
