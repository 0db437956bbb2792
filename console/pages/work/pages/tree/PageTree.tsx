import { type DragEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useAll } from '../../../../data/all.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DropPlace } from './internal/DropPlace.tsx'
import { type PageMove, usePageMove } from './internal/usePageMove.ts'
import { NewPage } from './NewPage.tsx'
import styles from './PageTree.module.css'
import { childrenOf } from './tree.ts'

/** The pages of an org as a tree, with what is shown beside it. On a phone the tree is behind a button. */
export function WithPageTree({ org, current, children }: { org: string; current?: string; children: ReactNode }) {
  const spaces = useAll('listSpaces', { params: { org } })
  const pages = useAll('listPages', { params: { org } })
  const [isOpen, setOpen] = useState(false)
  const [isNew, setNew] = useState(false)
  const tree = usePageMove(org, pages.data ?? [])
  return (
    <div className={styles.layout}>
      <nav aria-label={t('Pages of the org')} className={styles.tree} data-open={isOpen}>
        <div className="row spread">
          <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('Hide the tree') : t('All pages')}
          </button>
          <Button disabled={!spaces.data?.length} onClick={() => setNew(true)}>
            {t('New page')}
          </Button>
        </div>
        <div className={styles.all}>
          <Problem error={spaces.error ?? pages.error} />
          <Problem error={tree.error} />
          {spaces.data?.map(({ id, short_id, name }) => (
            <div key={id}>
              <DropPlace tree={tree} space={id} parent={null} className={styles.space}>
                <Link href={pathTo('space', { org, ref: short_id })}>{name}</Link>
              </DropPlace>
              <Branches
                org={org}
                tree={tree}
                pages={pages.data?.filter(({ space_id }) => space_id === id) ?? []}
                parent={null}
                current={current}
              />
            </div>
          ))}
          <p role="status" className="hidden">
            {tree.told}
          </p>
        </div>
      </nav>
      <div>{children}</div>
      {isNew ? <NewPage org={org} onClose={() => setNew(false)} /> : null}
    </div>
  )
}

interface BranchProps {
  org: string
  tree: PageMove
  /** The pages of the space. */
  pages: readonly PageItem<'listPages'>[]
  current: string | undefined
}

function Branches({ parent, ...rest }: BranchProps & { parent: string | null }) {
  const below = childrenOf(rest.pages, parent)
  if (below.length === 0) return null
  return (
    <ul className="plain">
      {below.map((page) => (
        <Branch key={page.id} page={page} {...rest} />
      ))}
    </ul>
  )
}

function Branch({ page, ...rest }: BranchProps & { page: PageItem<'listPages'> }) {
  const { org, tree, pages, current } = rest
  const [chosen, setChosen] = useState<boolean>()
  const isParent = pages.some(({ parent_id }) => parent_id === page.id)
  const isOpen = chosen ?? isAbove(pages, page.id, current)
  return (
    <li>
      <DropPlace tree={tree} space={page.space_id} parent={page.id} className={styles.item}>
        {isParent ? (
          <button
            type="button"
            className={`quiet ${styles.open}`}
            aria-expanded={isOpen}
            aria-label={t('What is below {title}', { title: page.title })}
            onClick={() => setChosen(!isOpen)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        ) : (
          <span className={styles.leaf} />
        )}
        <Link
          href={pathTo('page', { org, ref: page.short_id })}
          draggable
          onDragStart={(event: DragEvent) => tree.begin(event, page)}
          onDragEnd={tree.end}
          aria-current={page.id === current ? 'page' : undefined}
        >
          {page.title}
        </Link>
      </DropPlace>
      {isOpen ? <Branches {...rest} parent={page.id} /> : null}
    </li>
  )
}

/** Whether a page is the current one, or above it: then its branch is open. */
function isAbove(pages: readonly PageItem<'listPages'>[], id: string, current: string | undefined): boolean {
  for (let at = current; at; at = pages.find((page) => page.id === at)?.parent_id ?? undefined) {
    if (at === id) return true
  }
  return false
}
