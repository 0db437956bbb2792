import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { canBePushed, endPush, pushedEndpoint, startPush } from '../../../../data/push.ts'
import { useChange, useList, useRead } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** The browsers that receive push notifications. This browser can be added, and each can be removed. */
export function PushDevices() {
  const client = useQueryClient()
  const config = useRead('getPublicConfig', {})
  const { items, error } = useList('listPushSubscriptions', {})
  const { data: own } = useQuery({
    queryKey: ['pushedEndpoint'],
    queryFn: async () => (await pushedEndpoint()) ?? null,
  })
  const remove = useChange('deletePushSubscription', ['listPushSubscriptions'])
  const again = () =>
    Promise.all(['listPushSubscriptions', 'pushedEndpoint'].map((key) => client.invalidateQueries({ queryKey: [key] })))
  const start = useMutation({ mutationFn: startPush, onSettled: again })
  const publicKey = config.data?.notifications.push_public_key
  const isThere = items?.some(({ endpoint }) => endpoint === own)
  const add =
    publicKey && canBePushed() && !isThere ? (
      <Button busy={start.isPending} onClick={() => start.mutate(publicKey)}>
        {t('Notify me in this browser')}
      </Button>
    ) : undefined
  return (
    <Section title={t('Push devices')} actions={add}>
      <Problem error={start.error ?? remove.error} />
      <Table
        caption={t('Devices that receive push notifications')}
        rows={items}
        error={error}
        keyOf={({ id }) => id}
        empty={<p>{t('None yet. A browser on this list notifies you even while no page of the console is open.')}</p>}
        columns={[
          {
            title: t('Device'),
            cell: ({ endpoint, browser }) => (
              <>
                <strong>{endpoint === own ? t('This browser') : (browser ?? t('Another browser'))}</strong>{' '}
                {t('By {hostname}', { hostname: new URL(endpoint).hostname })}
              </>
            ),
          },
          {
            title: t('Last success'),
            isLabelled: true,
            cell: ({ last_success_at: at }) => (at ? <Time at={at} /> : t('None yet')),
          },
          { title: t('Since'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: t('Change'),
            cell: ({ id, endpoint }) => (
              <Button
                kind="quiet"
                busy={remove.isPending && remove.variables.params.id === id}
                onClick={() =>
                  remove.mutate({ params: { id } }, { onSuccess: () => void endPush(endpoint).then(again) })
                }
              >
                {t('Remove')}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}
