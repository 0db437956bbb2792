import type { ReactNode } from 'react'
import { useMe } from '../data/me.ts'
import { PageHead } from '../ui/PageHead.tsx'

/** Shows a page to operators, and tells others why they do not see it. */
export function OperatorOnly({ children }: { children: ReactNode }) {
  const me = useMe()
  if (me.role === 'operator') return children
  return (
    <>
      <PageHead title="For operators" />
      <p>
        This page is for those who run the market, and your account is a member's. Whoever runs it appoints operators
        from the command line.
      </p>
    </>
  )
}
