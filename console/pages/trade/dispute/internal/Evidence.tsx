import { useState } from 'react'
import { type UrnObject, urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useAll } from '../../../../data/all.ts'
import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import type { Viewer } from '../../order/record/order.ts'
import { threadOf } from '../../order/record/step.ts'
import { AddEvidence } from './AddEvidence.tsx'
import { excerptOf } from './excerptOf.ts'

interface Props {
  dispute: Body<'getDispute'>
  order: Body<'getOrder'>
  viewer: Viewer
}

/**
 * The evidence of the parties: messages and files of the order. A party adds to it while evidence is open.
 */
export function Evidence({ dispute, order, viewer }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data } = useAll('listMessages', { params: { urn: threadOf(order) }, agent: viewer.agent })
  const messages = data ?? []
  return (
    <Section
      title={t('Evidence')}
      actions={
        dispute.may.includes('submit_evidence') ? (
          <Button onClick={() => setOpen(true)}>{t('Add evidence…')}</Button>
        ) : null
      }
    >
      <Table
        caption={t('Evidence')}
        rows={dispute.evidence}
        keyOf={({ party, created_at, message_urn, delivery_urn }) =>
          `${party}${created_at}${message_urn?.body ?? delivery_urn?.body}`
        }
        empty={<p>{t('No evidence submitted yet. The claim, the response and the delivery count without it.')}</p>}
        columns={[
          { title: t('What'), cell: ({ message_urn, delivery_urn }) => nameOf(messages, message_urn, delivery_urn) },
          {
            title: t('Of'),
            cell: ({ party }) => t('{party, select, buyer {the buyer} other {the seller}}', { party }),
          },
          { title: t('Since'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} relative={false} /> },
        ]}
      />
      {isOpen ? <AddEvidence {...{ dispute, order, viewer, messages }} onClose={() => setOpen(false)} /> : null}
    </Section>
  )
}

function nameOf(
  messages: readonly PageItem<'listMessages'>[],
  message: UrnObject | undefined,
  delivery: UrnObject | undefined,
): string {
  const found = messages.find(({ urn }) => urn.body === message?.body)
  if (found) return excerptOf(found)
  return delivery ? t('a file, {urn}', { urn: urnString('delivery', delivery.body) }) : t('a message')
}
