import { useChange, useList } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** The sessions of the person, and the passkey of each. */
export function Sessions() {
  const { items, error, more } = useList('listSessions', {})
  const passkeys = useList('listPasskeys', {})
  const end = useChange('revokeSession', ['listSessions'])
  const names = new Map(passkeys.items?.map(({ urn, name }) => [urn.body, name]))
  return (
    <Section title={t('Sessions')}>
      <Problem error={end.error} />
      <Table
        caption={t('Your sessions')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn, created_at }) => urn?.body ?? created_at}
        empty={<p>{t('No sessions.')}</p>}
        columns={[
          {
            title: t('Passkey'),
            cell: ({ passkey_urn, is_current }) => (
              <strong>
                {names.get(passkey_urn.body) ?? t('a removed passkey')}
                {is_current ? ` · ${t('this browser')}` : ''}
              </strong>
            ),
          },
          { title: t('Began'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
          { title: t('Last seen'), isLabelled: true, cell: ({ seen_at }) => <Time at={seen_at} /> },
          { title: t('Ends'), isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
          {
            title: t('Change'),
            cell: ({ urn, is_current }) =>
              is_current || !urn ? (
                <span className="muted">{t('log out above')}</span>
              ) : (
                <Button
                  kind="quiet"
                  busy={end.isPending && end.variables.params.urn === urnText(urn)}
                  onClick={() => end.mutate({ params: { urn: urnText(urn) } })}
                >
                  {t('End')}
                </Button>
              ),
          },
        ]}
      />
    </Section>
  )
}
