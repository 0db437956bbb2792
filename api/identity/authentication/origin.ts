import type { WebSettings } from '../../context.ts'
import { Problem } from '../../errors.ts'

/**
 * Throws auth/origin-refused unless a write comes from one of our pages. Browsers also send cookies with requests that
 * other sites' pages cause; the Origin header names the page (Fetch, section 3.2).
 */
export function requireOwnOrigin({ origins }: WebSettings, origin: string | undefined): void {
  if (origin !== undefined && origins.includes(origin)) return
  throw new Problem('auth/origin-refused', {
    detail: 'A write of a browser must come from a page of this service, and say so in the header Origin.',
    field: 'Origin',
  })
}
