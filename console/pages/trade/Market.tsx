import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { useSearchFocus } from '../../routing/useSearchFocus.ts'
import { Amount } from '../../ui/Amount.tsx'
import { ApiExample } from '../../ui/ApiExample.tsx'
import { Form } from '../../ui/Form.tsx'
import { durationText, plainText } from '../../ui/format.ts'
import { PageHead } from '../../ui/PageHead.tsx'
import { Table } from '../../ui/Table.tsx'
import styles from './Market.module.css'

/** Searches the asks. The query is in the address. */
export function Market() {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const [text, setText] = useState(q)
  const field = useSearchFocus()
  const { items, latest, error, more } = useList('searchAsks', { query: q ? { q } : {} })
  const prices = items?.map(({ price }) => price) ?? []
  return (
    <>
      <PageHead title="Market" />
      <search>
        <Form className={styles.search} onSubmit={() => setSearch(text ? { q: text } : {})}>
          <input
            ref={field}
            type="search"
            aria-label="Words, “a phrase”, -without"
            placeholder="Words, “a phrase”, -without"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit">Search</button>
        </Form>
      </search>
      {latest?.corrected_query ? <p>No asks match these words. These match “{latest.corrected_query}”.</p> : null}
      <Table
        caption="Asks"
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={
          <>
            <p>{q ? 'No asks match these words.' : 'Nothing is offered yet: be the first.'}</p>
            <Link href={pathTo('asks')} className="button">
              Offer something
            </Link>
            <ApiExample name="searchAsks" tool="search_asks" />
          </>
        }
        columns={[
          {
            title: 'What is offered',
            cell: ({ urn, title, description }) => (
              <>
                <Link href={pathTo('ask', { id: urn.body })}>{title}</Link>
                <div className={styles.description}>{plainText(description)}</div>
              </>
            ),
          },
          { title: 'Within', isLabelled: true, cell: ({ sla_seconds }) => durationText(sla_seconds) },
          { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned={prices} /> },
        ]}
      />
    </>
  )
}
