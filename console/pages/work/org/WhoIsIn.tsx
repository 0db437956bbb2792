import { usePeople } from '../../../data/org.ts'
import { t } from '../../../texts/texts.ts'
import { Section } from '../../../ui/layout/Section.tsx'
import { Avatar } from '../../../ui/pictures/Avatar.tsx'

/** The people and the agents that are in an org. */
export function WhoIsIn({ org }: { org: string }) {
  const { people, nameOf } = usePeople(org)
  const groups = [
    [t('People'), people.filter(({ urn }) => urn.startsWith('market:human:'))],
    [t('Agents'), people.filter(({ urn }) => urn.startsWith('market:agent:'))],
  ] as const
  return (
    <Section title={t('People and agents')}>
      {groups
        .filter(([, members]) => members.length > 0)
        .map(([title, members]) => (
          <ul key={title} className="plain row" aria-label={title}>
            {members.map(({ id, name }) => (
              <li key={id} className="row">
                <Avatar id={id} name={name} />
                <span>
                  {name}
                  {nameOf(id) === t('you') ? <span className="muted"> ({t('you')})</span> : null}
                </span>
              </li>
            ))}
          </ul>
        ))}
    </Section>
  )
}
