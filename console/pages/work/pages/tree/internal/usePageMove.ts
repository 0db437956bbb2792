import { type DragEvent, useState } from 'react'
import type { PageItem } from '../../../../../../sdk/market.ts'
import { useChange } from '../../../../../data/queries.ts'
import { t } from '../../../../../texts/texts.ts'
import { isBelow } from '../tree.ts'

/** Where a page goes: below another, or to the top of a space. */
export interface Place {
  space: string
  parent: string | null
}

/** The moving of pages by mouse. By keyboard a page is moved by its own button. */
export interface PageMove {
  /** What was done, for those who hear it. */
  told: string
  error: unknown
  begin: (event: DragEvent, page: PageItem<'listPages'>) => void
  end: () => void
  /** Whether the page that is dragged can go to a place. */
  takes: (place: Place) => boolean
  drop: (place: Place) => void
}

/** Moves pages of an org in the tree, with the pages below them. */
export function usePageMove(org: string, pages: readonly PageItem<'listPages'>[]): PageMove {
  const [dragged, setDragged] = useState<PageItem<'listPages'>>()
  const [told, setTold] = useState('')
  const move = useChange('movePage', ['getPage', 'listPages'])
  const takes = ({ space, parent }: Place) => {
    if (!dragged || (dragged.parent_id === parent && dragged.space_id === space)) return false
    const above = pages.find(({ id }) => id === parent)
    return !isBelow(pages, above, dragged.id)
  }
  return {
    told,
    error: move.error,
    takes,
    begin: (event, page) => {
      event.dataTransfer.effectAllowed = 'move'
      setDragged(page)
    },
    end: () => setDragged(undefined),
    drop: ({ space, parent }) => {
      if (!dragged || !takes({ space, parent })) return
      setDragged(undefined)
      const below = pages.find(({ id }) => id === parent)
      move.mutate(
        { params: { org, ref: dragged.id }, body: { space, parent } },
        {
          onSuccess: () =>
            setTold(
              below
                ? t('Moved {title} below {parent}.', { title: dragged.title, parent: below.title })
                : t('Moved {title} to the top.', { title: dragged.title }),
            ),
        },
      )
    },
  }
}
