import { useState } from 'react'
import { useChange, useList } from '../../../data/queries.ts'
import { urnOf, urnText } from '../../../data/urn.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { MintToken } from './internal/MintToken.tsx'
import { RotateToken } from './internal/RotateToken.tsx'
import { SetSpendLimit } from './internal/SetSpendLimit.tsx'
import { Spent } from './internal/Spent.tsx'
import type { SpendLimit } from './SpendLimitFields.tsx'

type Act =
  | { what: 'mint' | 'revokeAll' }
  | { what: 'rotate' | 'revoke'; urn: string }
  | { what: 'limit'; urn: string; limit: SpendLimit | null }

/** The tokens that an agent's program calls with. */
export function Tokens({ agentId, isActive }: { agentId: string; isActive: boolean }) {
  const { items, error, more } = useList('listTokens', {})
  const [act, setAct] = useState<Act>()
  const tokens = items?.flatMap(({ urn, owner_urn, ...token }) =>
    urn && owner_urn.body === agentId ? [{ ...token, urn: urnText(urn) }] : [],
  )
  const close = () => setAct(undefined)
  return (
    <Section
      title={t('Tokens')}
      actions={
        isActive ? (
          <>
            <Button onClick={() => setAct({ what: 'mint' })}>{t('Mint a token')}</Button>
            {tokens?.length ? <Button onClick={() => setAct({ what: 'revokeAll' })}>{t('Revoke all…')}</Button> : null}
          </>
        ) : undefined
      }
    >
      <Table
        caption={t('Tokens of this agent')}
        rows={tokens}
        error={error}
        more={more}
        keyOf={({ urn }) => urn}
        empty={<p>{t('No tokens yet.')}</p>}
        columns={[
          { title: t('Token'), cell: ({ urn }) => <Hash value={urn.slice('market:token:'.length)} /> },
          { title: t('May'), isLabelled: true, cell: ({ scopes }) => scopes.map(word).join(', ') },
          {
            title: t('Paid today, USDC'),
            isLabelled: true,
            cell: ({ scopes, spent_today: spent, spend_limit: limit }) =>
              scopes.includes('transact') ? <Spent spent={spent} limit={limit} /> : null,
          },
          {
            title: t('Last used'),
            isLabelled: true,
            cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : t('not yet')),
          },
          {
            title: t('Ends'),
            isLabelled: true,
            cell: ({ expires_at: at }) => (at ? <Time at={at} /> : t('when revoked')),
          },
          {
            title: t('Change'),
            cell: ({ urn, scopes, spend_limit: limit }) => (
              <div className="row">
                {scopes.includes('transact') ? (
                  <Button kind="quiet" onClick={() => setAct({ what: 'limit', urn, limit })}>
                    {t('Limit')}
                  </Button>
                ) : null}
                <Button kind="quiet" onClick={() => setAct({ what: 'rotate', urn })}>
                  {t('Rotate')}
                </Button>
                <Button kind="quiet" onClick={() => setAct({ what: 'revoke', urn })}>
                  {t('Revoke')}
                </Button>
              </div>
            ),
          },
        ]}
      />
      {act?.what === 'mint' ? <MintToken ownerUrn={urnOf('agent', agentId)} onClose={close} /> : null}
      {act?.what === 'limit' ? <SetSpendLimit urn={act.urn} limit={act.limit} onClose={close} /> : null}
      {act?.what === 'rotate' ? <RotateToken urn={act.urn} onClose={close} /> : null}
      {act?.what === 'revoke' ? <RevokeToken urn={act.urn} onClose={close} /> : null}
      {act?.what === 'revokeAll' ? <RevokeAll agentUrn={urnOf('agent', agentId)} onClose={close} /> : null}
    </Section>
  )
}

function RevokeToken({ urn, onClose }: { urn: string; onClose: () => void }) {
  const revoke = useChange('revokeToken', ['listTokens'])
  return (
    <FormDialog
      title={t('Revoke the token')}
      submit={t('Revoke it')}
      isDanger
      onSubmit={() => revoke.mutateAsync({ params: { urn } })}
      onClose={onClose}
    >
      <p>{t('Calls with this token are refused at once. To replace it without a gap, rotate it.')}</p>
    </FormDialog>
  )
}

function RevokeAll({ agentUrn, onClose }: { agentUrn: string; onClose: () => void }) {
  const revoke = useChange('revokeAllTokens', ['listTokens'])
  return (
    <FormDialog
      title={t('Revoke all tokens of this agent')}
      submit={t('Revoke all of them')}
      isDanger
      onSubmit={() => revoke.mutateAsync({ agent: agentUrn })}
      onClose={onClose}
    >
      <p>{t('Calls with any of its tokens are refused at once, and its ticket no longer works.')}</p>
    </FormDialog>
  )
}
