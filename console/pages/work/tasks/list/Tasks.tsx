import { useLayoutEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { MOST, useAll } from '../../../../data/all.ts'
import { useMe } from '../../../../data/me.ts'
import { usePeople } from '../../../../data/org.ts'
import { urnOf } from '../../../../data/urn.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { useOrgParams } from '../../../../routing/useOrgParams.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import layout from '../../../../ui/layout/Layout.module.css'
import { PageHead } from '../../../../ui/layout/PageHead.tsx'
import { useLoaded } from '../../../../ui/useLoaded.ts'
import { filterOf, labelsOf, matches, sizeOf, sorted, sortOf, wantsArchived } from '../internal/filter.ts'
import { PlanDialog } from '../internal/PlanDialog.tsx'
import { TaskDialog } from '../internal/TaskDialog.tsx'
import { isPlain } from '../internal/useTaskChanges.ts'
import styles from '../Tasks.module.css'
import { NewTask } from './internal/NewTask.tsx'
import { TaskBar } from './internal/TaskBar.tsx'
import { TaskFilters } from './internal/TaskFilters.tsx'
import { TaskTable } from './internal/TaskTable.tsx'
import { type TaskView, useTaskView } from './internal/useTaskView.ts'

const loadBoard = () => import('./internal/Board.tsx').then((file) => file.Board)
const loadNothing = async () => undefined

/** The tasks of an org, as a list or a board; the address says which of them. */
export function Tasks() {
  const { org } = useOrgParams()
  const me = useMe()
  const [search] = useSearchParams()
  const filter = filterOf(search)
  const query = { order: 'position', archived: String(wantsArchived(filter)) as 'true' | 'false', limit: 200 } as const
  const [most, setMost] = useState(MOST)
  const { data: tasks, error, isPlaceholderData } = useAll('listTasks', { params: { org }, query }, { most })
  const { people, nameOf } = usePeople(org)
  const isBoard = search.get('view') === 'board'
  const sort = isBoard ? 'order' : sortOf(search)
  const mine = urnOf('human', me.urn.body)
  const shown = sorted(
    (tasks ?? []).filter((task) => matches(task, filter, mine)),
    sort,
  )
  const Board = useLoaded(isBoard ? loadBoard : loadNothing)
  const view = useTaskView(org, shown)
  const place = useKeptTask()
  return (
    <>
      <PageHead
        title={t('Tasks')}
        actions={
          <>
            <Button
              kind="primary"
              data-key="c"
              data-asks="true"
              aria-keyshortcuts="c"
              onClick={() => view.setDialog({ kind: 'new' })}
            >
              {t('New task')}
            </Button>
            <ViewSwitch isBoard={isBoard} />
          </>
        }
      />
      <TaskFilters org={org} tasks={tasks ?? []} isBoard={isBoard} />
      <Problem error={error} />
      <Failures view={view} />
      <div ref={place}>
        {tasks && shown.length === 0 ? <NoTasks view={view} isFiltered={sizeOf(filter) > 0} /> : null}
        {shown.length === 0 ? null : isBoard ? (
          Board && <Board {...{ org, view, people, nameOf }} tasks={shown} />
        ) : (
          <TaskTable {...{ org, view, people, nameOf }} tasks={shown} isOrdered={sort === 'order'} />
        )}
      </div>
      {tasks && (isPlaceholderData || tasks.length === most) ? (
        <p className="row muted">
          {t('These are the first {count, plural, one {# task} other {# tasks}}.', { count: tasks.length })}
          <Button busy={isPlaceholderData} onClick={() => setMost(most + MOST)}>
            {t('Load more')}
          </Button>
        </p>
      ) : null}
      {view.chosen.length > 0 ? <div className={styles.room} /> : null}
      <TaskBar view={view} shown={shown} />
      <p role="status" className="hidden">
        {view.said}
      </p>
      <Dialogs org={org} view={view} labels={labelsOf(tasks ?? [])} />
    </>
  )
}

function ViewSwitch({ isBoard }: { isBoard: boolean }) {
  const [search] = useSearchParams()
  const { org } = useOrgParams()
  const hrefOf = (view: 'list' | 'board') => {
    const next = new URLSearchParams(search)
    // A board shows every state, in its own order.
    for (const name of ['view', 'state', 'sort']) if (name === 'view' || view === 'board') next.delete(name)
    if (view === 'board') next.set('view', view)
    return `${pathTo('tasks', { org })}?${next}`
  }
  return (
    <nav aria-label={t('Show as')} className={`${layout.filters} ${styles.switch}`}>
      <Link href={hrefOf('list')} aria-current={isBoard ? undefined : 'true'}>
        {t('List')}
      </Link>
      <Link href={hrefOf('board')} aria-current={isBoard ? 'true' : undefined}>
        {t('Board')}
      </Link>
    </nav>
  )
}

function NoTasks({ view, isFiltered }: { view: TaskView; isFiltered: boolean }) {
  const { org } = useOrgParams()
  return (
    <div className={styles.empty}>
      <p>
        {isFiltered
          ? t('No task matches these filters.')
          : t('No tasks yet. Members of the org and their agents claim the tasks that are filed here.')}
      </p>
      {isFiltered ? (
        <Link href={pathTo('tasks', { org })}>{t('Show all tasks')}</Link>
      ) : (
        <Button onClick={() => view.setDialog({ kind: 'new' })}>{t('File a task')}</Button>
      )}
    </div>
  )
}

/** The changes that were refused, each with the task that it was for. */
function Failures({ view }: { view: TaskView }) {
  return view.changes.failures.map(({ task, error }) => (
    <div key={task.id}>
      <strong>{task.title}</strong>
      <Problem error={error} />
    </div>
  ))
}

function Dialogs({ org, view, labels }: { org: string; view: TaskView; labels: readonly string[] }) {
  const { dialog, setDialog, changes } = view
  const close = () => setDialog(undefined)
  if (!dialog) return null
  if (dialog.kind === 'new') return <NewTask org={org} onClose={close} />
  if (dialog.kind === 'plan')
    return (
      <PlanDialog org={org} part={dialog.part} tasks={dialog.tasks} labels={labels} run={changes.run} onClose={close} />
    )
  return isPlain(dialog.step) ? null : <TaskDialog org={org} task={dialog.task} step={dialog.step} onClose={close} />
}

/**
 * Returns the ref of the place where tasks are shown. The task that has the focus keeps it when it is drawn
 * at another place.
 */
function useKeptTask() {
  const place = useRef<HTMLDivElement>(null)
  const last = useRef<string>(undefined)
  useLayoutEffect(() => {
    const note = ({ target }: FocusEvent) => {
      last.current = target instanceof HTMLElement ? target.dataset.task : undefined
    }
    document.addEventListener('focusin', note)
    return () => {
      document.removeEventListener('focusin', note)
    }
  }, [])
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || last.current === undefined) return
    place.current?.querySelector<HTMLElement>(`[data-task="${CSS.escape(last.current)}"]`)?.focus()
  })
  return place
}
