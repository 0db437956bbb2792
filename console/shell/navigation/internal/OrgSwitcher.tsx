import { Link, useLocation } from 'wouter'
import type { Org } from '../../../data/org.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Avatar } from '../../../ui/pictures/Avatar.tsx'
import styles from '../Navigation.module.css'

// A list of an org is there in every org; a page or a task is not.
const SECTION = /^\/orgs\/[^/]+(\/(?:pages|tasks|attachments|decisions|secrets|notifications|search|settings))\b/

interface Props {
  /** Undefined until they have been read. */
  orgs: readonly Org[] | undefined
  /** The slug of the org that the navigation leads into. */
  here: string
}

/**
 * The org that the navigation leads into. With several, another is chosen here, and the same list opens
 * there.
 */
export function OrgSwitcher({ orgs, here }: Props) {
  const [path, navigate] = useLocation()
  const org = orgs?.find(({ slug }) => slug === here)
  if (!orgs || !org) return <div className={styles.org} />
  return (
    <div className={styles.org}>
      <Avatar id={org.urn.body} name={org.display_name} />
      {orgs.length === 1 ? (
        <Link href={pathTo('org', { org: here })}>{org.display_name}</Link>
      ) : (
        <select
          aria-label={t('Org')}
          value={here}
          onChange={({ target }) => navigate(pathTo('org', { org: target.value }) + (SECTION.exec(path)?.[1] ?? ''))}
        >
          {orgs.map(({ slug, display_name }) => (
            <option key={slug} value={slug}>
              {display_name}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
