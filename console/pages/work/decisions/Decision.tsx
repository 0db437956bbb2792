import { useState } from 'react'
import { Link } from 'wouter'
import { usePeople } from '../../../data/org.ts'
import { useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Markdown } from '../../../ui/markdown/Markdown.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { NewDecision } from './internal/NewDecision.tsx'

/** A decision: its text, and the decision that replaced it. */
export function Decision() {
  const { org, ref } = useOrgParams()
  const { nameOf } = usePeople(org)
  const { data, error } = useRead('getDecision', { params: { org, ref } })
  const [replaces, setReplaces] = useState(false)
  if (!data) return error ? <Problem error={error} /> : null
  const { page_id: page, task_id: task, supersedes, superseded_by: next } = data
  return (
    <>
      <PageHead
        title={data.title}
        kicker={
          next ? (
            <Link href={pathTo('decision', { org, ref: next })}>{t('Replaced by another decision')}</Link>
          ) : undefined
        }
        about={
          <>
            {t('Decided by {name}', { name: nameOf(data.created_by) })}
            {' · '}
            <Time at={data.created_at} />
          </>
        }
        actions={next ? undefined : <Button onClick={() => setReplaces(true)}>{t('Replace it')}</Button>}
      />
      <div className="stack">
        <Markdown text={data.text} />
        <p className="row">
          {page ? <Link href={pathTo('page', { org, ref: page })}>{t('The page it is about')}</Link> : null}
          {task ? <Link href={pathTo('task', { org, ref: task })}>{t('The task it is about')}</Link> : null}
          {supersedes ? (
            <Link href={pathTo('decision', { org, ref: supersedes })}>{t('The one it replaces')}</Link>
          ) : null}
        </p>
      </div>
      {replaces ? <NewDecision org={org} former={data} onClose={() => setReplaces(false)} /> : null}
    </>
  )
}
