import { Link, useSearchParams } from 'wouter'
import { usePeople } from '../../../data/org.ts'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { useSearchFocus } from '../../../routing/useSearchFocus.ts'
import { type Message, msg, t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../ui/forms/Form.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { plainText } from '../../../ui/values/format.ts'
import { Time } from '../../../ui/values/Time.tsx'
import styles from './Search.module.css'

const TYPES = ['page', 'entry', 'task', 'comment', 'attachment'] as const
const NAMES: Record<(typeof TYPES)[number], Message> = {
  page: msg('pages'),
  entry: msg('entries'),
  task: msg('tasks'),
  comment: msg('comments'),
  attachment: msg('files'),
}

/** Searches an org, the best matches first. The query is in the address. */
export function Search() {
  const { org } = useOrgParams()
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const type = TYPES.find((name) => name === search.get('type'))
  const query = { q, ...(type ? { type } : {}) }
  const { items, error, more } = useList('searchWorkspace', { params: { org }, query }, { enabled: q !== '' })
  const { nameOf } = usePeople(org)
  const field = useSearchFocus()
  return (
    <>
      <PageHead title={t('Search')} />
      <search>
        <Form
          className={styles.form}
          submit={t('Search')}
          kind="primary"
          onSubmit={(form) => {
            const chosen = typed(form, 'type')
            setSearch({ q: typed(form, 'q').trim(), ...(chosen ? { type: chosen } : {}) })
          }}
        >
          <Field label={t('Words')} name="q" error={error} hint={t('"a phrase", -without, this or that')}>
            {(props) => <input {...props} ref={field} type="search" required maxLength={200} defaultValue={q} />}
          </Field>
          <Field label={t('Search in')} name="type">
            {(props) => (
              <select {...props} defaultValue={type ?? ''}>
                <option value="">{t('Everything')}</option>
                {TYPES.map((name) => (
                  <option key={name} value={name}>
                    {t(NAMES[name])}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </Form>
      </search>
      {q === '' ? null : (
        <Table
          caption={t('Matches of {words}', { words: q })}
          rows={items}
          error={error}
          more={more}
          keyOf={({ id }) => id}
          empty={<p>{t('No matches. Try fewer or other words.')}</p>}
          columns={[
            {
              title: t('Found'),
              cell: (hit) => (
                <>
                  <Link href={hrefOf(org, hit)}>{hit.title}</Link>
                  <p className="small muted">{plainText(hit.snippet)}</p>
                </>
              ),
            },
            { title: t('Kind'), cell: (hit) => word(hit.type) },
            { title: t('By'), isLabelled: true, cell: ({ created_by }) => nameOf(created_by) },
            { title: t('Since'), cell: ({ created_at }) => <Time at={created_at} relative={false} /> },
          ]}
        />
      )}
    </>
  )
}

interface Hit {
  type: (typeof TYPES)[number]
  short_id: string
  page_id: string | null
  task_id: string | null
  offset: number | null
}

function hrefOf(org: string, { type, short_id: ref, page_id, task_id, offset }: Hit): string {
  if (type === 'attachment') return `${pathTo('attachment', { org, ref })}?offset=${offset ?? 0}`
  if (type === 'page' || type === 'task') return pathTo(type, { org, ref })
  const place = task_id ? pathTo('task', { org, ref: task_id }) : pathTo('page', { org, ref: page_id ?? '' })
  return `${place}#${type}-${ref}`
}
