import { useMemo } from 'react'
import { usePeople } from '../../../../data/org.ts'
import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { previewUrl } from '../../files/previewUrl.ts'
import { isPicture, isReferable, partsOf, targetOf } from '../text/references.ts'
import { useTargets } from '../text/useTargets.ts'
import type { Names } from './internal/names.ts'

/** Returns what the names in a page's text stand for. The same object as long as nothing of it changes. */
export function useNames(org: string, page: Body<'getPage'>): Names {
  const { targets, isRead } = useTargets(org, page)
  const { people } = usePeople(org)
  const called = JSON.stringify(people.map(({ urn, name }) => ({ urn, name })))
  return useMemo(() => {
    const listed: Names['listed']['people'] = JSON.parse(called)
    const names = new Map(listed.map(({ urn, name }) => [urn, name]))
    return {
      kindOf: (reference) => {
        const found = targetOf(partsOf(reference).target, targets)
        if (!found) return isRead ? 'missing' : 'page'
        return found.kind === 'file' ? 'file' : 'page'
      },
      pictureOf: (reference) => {
        const { target, aliases, width } = partsOf(reference)
        const found = targetOf(target, targets)
        if (found?.kind !== 'file' || !isPicture(found.file)) return undefined
        return { url: previewUrl(org, found.file, 1024), alt: aliases[0] ?? found.name, width }
      },
      nameOf: (urn) => names.get(urn) ?? t('account {id}', { id: urn.slice(-8) }),
      listed: {
        pages: [...new Set(targets.pages.map(({ title }) => title))].filter(isReferable),
        files: targets.files.map(({ filename }) => filename),
        people: listed,
      },
    }
  }, [org, targets, isRead, called])
}
