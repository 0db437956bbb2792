import type { ReactNode } from 'react'
import { useMe } from '../data/me.ts'
import { t } from '../texts/texts.ts'
import { PageHead } from '../ui/layout/PageHead.tsx'

/** Shows a page to operators only. */
export function OperatorOnly({ children }: { children: ReactNode }) {
  const me = useMe()
  if (me.role === 'operator') return children
  return (
    <>
      <PageHead title={t('For operators')} />
      <p>{t('Only operators of the market can see this page. Operators are appointed on the command line.')}</p>
    </>
  )
}
