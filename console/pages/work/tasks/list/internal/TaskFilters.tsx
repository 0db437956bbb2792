import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePeople, useSpaces } from '../../../../../data/org.ts'
import { type Message, t } from '../../../../../texts/texts.ts'
import { word } from '../../../../../texts/words.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import {
  DUE_WORDS,
  filterOf,
  labelsOf,
  MINE,
  NOBODY,
  SORT_WORDS,
  sizeOf,
  type TaskFilter,
} from '../../internal/filter.ts'
import { PRIORITIES, PRIORITY_WORDS, STATES, type Task } from '../../internal/taskItem.ts'
import styles from '../../Tasks.module.css'
import { SavedViews } from './SavedViews.tsx'

type Choices = readonly (readonly [value: string, word: string])[]

interface Props {
  org: string
  /** All tasks, whose labels can be chosen. */
  tasks: readonly Task[]
  isBoard: boolean
}

/** Chooses which tasks are shown. The address keeps the choice, so that it can be sent to somebody. */
export function TaskFilters({ org, tasks, isBoard }: Props) {
  const { filter, set, clear } = useFilter()
  const [isOpen, setOpen] = useState(false)
  const { people } = usePeople(org)
  const spaces = useSpaces(org) ?? []
  const size = sizeOf(filter)
  const spaceNames: Choices = spaces.map(({ id, name }) => [id, name])
  return (
    <search className={styles.filters} data-open={isOpen || undefined}>
      <input
        type="search"
        aria-label={t('Find tasks')}
        placeholder={t('Find tasks')}
        value={filter.q}
        onChange={({ target }) => set('q', target.value)}
      />
      <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {size > 0 ? t('Filters ({size})', { size }) : t('Filters')}
      </button>
      <div className={styles.choices}>
        {isBoard ? null : (
          <Choice name="state" label={t('State')} choices={STATES.map((state) => [state, word(state)])} />
        )}
        <Choice
          name="assignee"
          label={t('Person')}
          choices={[[MINE, t('Me')], [NOBODY, t('Nobody')], ...people.map(({ urn, name }) => [urn, name] as const)]}
        />
        <Choice name="label" label={t('Label')} choices={labelsOf(tasks).map((label) => [label, label])} />
        <Choice
          name="priority"
          label={t('Priority')}
          choices={PRIORITIES.map((one) => [one, t(PRIORITY_WORDS[one])])}
        />
        <Choice name="due" label={t('Due')} choices={choicesOf(DUE_WORDS)} />
        {spaces.length > 1 ? <Choice name="space" label={t('Space')} choices={spaceNames} /> : null}
        {isBoard ? null : <Choice name="sort" label={t('Sort')} choices={choicesOf(SORT_WORDS)} />}
        {size > 0 ? (
          <Button kind="quiet" onClick={clear}>
            {t('Clear')}
          </Button>
        ) : null}
        <SavedViews org={org} />
      </div>
    </search>
  )
}

function choicesOf(words: Readonly<Record<string, Message>>): Choices {
  return Object.entries(words).map(([value, title]) => [value, t(title)])
}

/** Chooses one member of the filter, or leaves it out. */
function Choice({ name, label, choices }: { name: keyof TaskFilter | 'sort'; label: string; choices: Choices }) {
  const { search, set } = useFilter()
  return (
    <select
      aria-label={label}
      value={search.get(name) ?? ''}
      data-chosen={search.has(name) || undefined}
      onChange={({ target }) => set(name, target.value)}
    >
      <option value="">{label}</option>
      {choices.map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </select>
  )
}

/** Returns the filter of the address, and what changes it. */
function useFilter() {
  const [search, setSearch] = useSearchParams()
  const filter = filterOf(search)
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const clear = () =>
    setSearch((before) => new URLSearchParams([...before].filter(([name]) => !(name in filter))), { replace: true })
  return { search, filter, set, clear }
}
