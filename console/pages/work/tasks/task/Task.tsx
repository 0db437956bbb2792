import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useOrg, usePeople } from '../../../../data/org.ts'
import { type Body, useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { useOrgParams } from '../../../../routing/useOrgParams.ts'
import { t } from '../../../../texts/texts.ts'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import styles from '../../../../ui/layout/Layout.module.css'
import { PageHead } from '../../../../ui/layout/PageHead.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Markdown } from '../../../../ui/markdown/Markdown.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { Comments } from '../../comments/Comments.tsx'
import { TaskFiles } from './internal/TaskFiles.tsx'
import { TaskPlan } from './internal/TaskPlan.tsx'
import { TaskSteps } from './internal/TaskSteps.tsx'

/**
 * A task: what is to be done, its state with what can be done next, its files and comments. A seller who does
 * it for pay, and is not of the org, sees what is to be done and the files.
 */
export function Task() {
  const { org, ref } = useOrgParams()
  const { data: task, error } = useRead('getTask', { params: { org, ref } })
  const isMember = useOrg(org).org !== undefined
  if (!task) return error ? <Problem error={error} /> : null
  return (
    <>
      <PageHead
        title={task.title}
        kicker={
          <span className="row">
            <State name={task.state} />
            {task.state === 'claimed' && task.lease_until ? <Lease until={task.lease_until} /> : null}
          </span>
        }
        actions={isMember ? <TaskSteps org={org} task={task} /> : undefined}
      />
      <div className={styles.columns}>
        <div>
          <Section title={t('What is to be done')}>
            {task.text ? <Markdown text={task.text} /> : <p className="muted">{t('No description.')}</p>}
          </Section>
          {task.result === null ? null : (
            <Section title={t('Result')}>
              <Markdown text={task.result} />
            </Section>
          )}
          {task.reason === null ? null : (
            <Section title={t('Why it was rejected')}>
              <p>{task.reason}</p>
            </Section>
          )}
          <TaskFiles org={org} task={task} isMember={isMember} />
          {isMember ? <Comments org={org} on={{ task: task.id }} /> : null}
        </div>
        <div>
          {isMember ? <TaskPlan org={org} task={task} /> : null}
          <TaskFacts org={org} task={task} />
        </div>
      </div>
    </>
  )
}

function TaskFacts({ org, task }: { org: string; task: Body<'getTask'> }) {
  const { nameOf } = usePeople(org)
  const page = useRead('getPage', { params: { org, ref: task.page_id ?? '' } }, { enabled: task.page_id !== null })
  return (
    <Section title={t('Details')}>
      <DescriptionList
        items={[
          [t('Filed by'), nameOf(task.created_by)],
          [t('Filed'), <Time key="filed" at={task.created_at} relative={false} />],
          [t('Done by'), task.claimed_by ? nameOf(task.claimed_by) : t('nobody yet')],
          [
            t('Page'),
            page.data ? (
              <Link href={pathTo('page', { org, ref: page.data.short_id })}>{page.data.title}</Link>
            ) : undefined,
          ],
          [
            t('On the market'),
            task.bid_urn ? <Link href={pathTo('bid', { id: task.bid_urn.body })}>{t('its bid')}</Link> : undefined,
          ],
          [
            t('Done for pay'),
            task.order_urn ? (
              <Link href={pathTo('order', { id: task.order_urn.body })}>{t('its order')}</Link>
            ) : undefined,
          ],
        ]}
      />
    </Section>
  )
}

/** The time that a claim still holds, counted down. Afterwards the task is open again. */
function Lease({ until }: { until: string }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.floor((Date.parse(until) - nowMs) / 1_000))
  return (
    <time dateTime={until} title={until} className="muted" role="timer">
      {left === 0 ? t('claim expired') : t('claim ends in {time}', { time: leaseText(left) })}
    </time>
  )
}

function leaseText(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
