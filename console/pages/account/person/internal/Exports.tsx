import { useMutation } from '@tanstack/react-query'
import { ApiProblem } from '../../../../../sdk/problem.ts'
import { withFreshPasskey } from '../../../../data/passkeys.ts'
import { useChange, useList } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { bytesText } from '../../../../ui/values/format.ts'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

const POLL_MS = 3_000

/** Exports of all data of the person and their agents. */
export function Exports() {
  const { items, error, more } = useList('listExports', {}, { pollMs: POLL_MS })
  const request = useChange('requestExport', ['listExports'])
  const download = useMutation({ mutationFn: openExport })
  return (
    <Section
      title={t('Your data')}
      actions={
        <Button busy={request.isPending} onClick={() => request.mutate({})}>
          {t('Request a copy')}
        </Button>
      }
    >
      <Problem error={request.error ?? download.error} />
      <Table
        caption={t('Copies of your data')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>{t('A copy holds everything that you and your agents have here, as one JSON file.')}</p>}
        columns={[
          { title: t('Requested'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: t('State'),
            cell: ({ state, progress: { done, total } }) =>
              state === 'pending' ? (
                <span>
                  <Trans
                    message="{state} {done} of {total}"
                    state={<State name="pending" />}
                    done={done}
                    total={total}
                  />
                </span>
              ) : (
                <State name={state} />
              ),
          },
          {
            title: t('Size'),
            isLabelled: true,
            isNumber: true,
            cell: ({ size_bytes: size }) => (size === null ? '' : bytesText(size)),
          },
          { title: 'SHA-256', isLabelled: true, cell: ({ sha256 }) => (sha256 ? <Hash value={sha256} /> : null) },
          { title: t('Kept until'), isLabelled: true, cell: ({ expires_at: at }) => (at ? <Time at={at} /> : null) },
          {
            title: t('File'),
            cell: ({ urn, state }) =>
              state === 'ready' ? (
                <Button busy={download.isPending} onClick={() => download.mutate(urnText(urn))}>
                  {t('Download')}
                </Button>
              ) : null,
          },
        ]}
      />
    </Section>
  )
}

// The service redirects to the file. The browser follows it as a download, so that this page never holds the
// whole file; a refusal, such as of a passkey that is not fresh, is found out first.
async function openExport(urn: string): Promise<void> {
  const url = `/v1/me/exports/${urn}/download`
  await withFreshPasskey(async () => {
    const answer = await fetch(url, { redirect: 'manual' })
    if (answer.type !== 'opaqueredirect') throw new ApiProblem(answer.status, await answer.json().catch(() => ({})))
  })
  location.assign(url)
}
