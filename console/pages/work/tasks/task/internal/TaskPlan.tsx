import { useState } from 'react'
import { useAll } from '../../../../../data/all.ts'
import { usePeople } from '../../../../../data/org.ts'
import type { Body } from '../../../../../data/queries.ts'
import { t } from '../../../../../texts/texts.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../../ui/layout/Section.tsx'
import { labelsOf } from '../../internal/filter.ts'
import { PlanDialog, type PlanPart } from '../../internal/PlanDialog.tsx'
import { Due, Labels, PriorityMark } from '../../internal/TaskMarks.tsx'
import { PRIORITY_WORDS } from '../../internal/taskItem.ts'
import { useTaskChanges } from '../../internal/useTaskChanges.ts'
import styles from '../../Tasks.module.css'

/** What the org plans for a task, and what changes it. */
export function TaskPlan({ org, task }: { org: string; task: Body<'getTask'> }) {
  const { nameOf } = usePeople(org)
  const [part, setPart] = useState<PlanPart>()
  const { data: tasks = [] } = useAll(
    'listTasks',
    { params: { org }, query: { order: 'position', archived: 'false', limit: 200 } },
    { enabled: part === 'labels' },
  )
  const { run, failures } = useTaskChanges(org)
  const change = (one: PlanPart, key: string, what: string) =>
    task.may.includes('plan') ? (
      <Button
        kind="quiet"
        data-key={key}
        data-asks="true"
        aria-keyshortcuts={key}
        aria-label={what}
        onClick={() => setPart(one)}
      >
        {t('Change')}
      </Button>
    ) : null
  return (
    <Section title={t('Plan')}>
      <DescriptionList
        items={[
          [
            t('Assignee'),
            <span key="assignee" className={styles.fact}>
              {task.assignee === null ? t('nobody') : nameOf(task.assignee)}{' '}
              {change('assignee', 'a', t('Change the assignee'))}
            </span>,
          ],
          [
            t('Labels'),
            <span key="labels" className={styles.fact}>
              {task.labels.length === 0 ? t('none') : <Labels labels={task.labels} />}{' '}
              {change('labels', 'l', t('Change the labels'))}
            </span>,
          ],
          [
            t('Priority'),
            <span key="priority" className={styles.fact}>
              {task.priority === 'none' ? null : <PriorityMark priority={task.priority} />}
              <span aria-hidden={task.priority !== 'none'}>{t(PRIORITY_WORDS[task.priority])}</span>{' '}
              {change('priority', 'p', t('Change the priority'))}
            </span>,
          ],
          [
            t('Due'),
            <span key="due" className={styles.fact}>
              {task.due_on === null ? t('no day') : <Due task={task} />}{' '}
              {change('due_on', 'd', t('Change the due day'))}
            </span>,
          ],
        ]}
      />
      <Problem error={failures[0]?.error} />
      {part ? (
        <PlanDialog
          org={org}
          part={part}
          tasks={[task]}
          labels={labelsOf(tasks)}
          run={run}
          onClose={() => setPart(undefined)}
        />
      ) : null}
    </Section>
  )
}
