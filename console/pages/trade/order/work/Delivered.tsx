import { useQuery } from '@tanstack/react-query'
import { type UrnObject, urnString } from '../../../../../protocol/encoding/urn.ts'
import { useAll } from '../../../../data/all.ts'
import { sha256Hex } from '../../../../data/files/digest.ts'
import { market } from '../../../../data/market.ts'
import { type Body, useRead } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { OpenFile } from '../../../../ui/files/OpenFile.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { bytesText } from '../../../../ui/values/format.ts'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import type { OrderBody, Viewer } from '../record/order.ts'
import { threadOf } from '../record/step.ts'
import styles from './Delivered.module.css'
import { Checks } from './internal/Checks.tsx'

/**
 * The latest delivery: its text or file, compared with the SHA-256 that a receipt names, and the results of
 * its checks.
 */
export function Delivered({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  const messages = useAll('listMessages', { params: { urn: threadOf(order) }, agent: viewer.agent }, { pollMs: 10_000 })
  const notice = messages.data?.findLast(({ kind }) => kind === 'delivery_notice')
  if (!notice?.payload) return null
  const { output_hash: hash, delivery_urn } = notice.payload as { output_hash: string; delivery_urn?: UrnObject }
  return (
    <Section title={t('Delivered')}>
      {notice.body ? <p className={styles.text}>{notice.body}</p> : null}
      {delivery_urn ? (
        <File urn={urnString('delivery', delivery_urn.body)} order={order} viewer={viewer} />
      ) : (
        <>
          <p className={`small ${styles.fails}`}>
            <span aria-hidden="true">✕</span>{' '}
            {t(
              'No bytes were uploaded: nothing of it is checked, and a dispute finds no delivery unless they come as evidence.',
            )}
          </p>
          <TextDigest text={notice.body ?? ''} announced={hash} />
        </>
      )}
      <p className="small muted">
        <Time at={notice.created_at} />
      </p>
    </Section>
  )
}

function File({ urn, order, viewer: { agent } }: { urn: string; order: OrderBody; viewer: Viewer }) {
  const waiting = { pollMs: 2_000, isDone: ({ checks_pending }: Body<'getDelivery'>) => !checks_pending }
  const { data, error } = useRead('getDelivery', { params: { urn }, agent }, waiting)
  if (!data) return <Problem error={error} />
  const name = data.filename ?? t('The file')
  // A link works for minutes, so each opening asks for a new one.
  const link = async () => {
    const { body } = await market.call('getDelivery', { params: { urn }, agent })
    if (!body.download) throw new Error(t('The file was not uploaded yet.'))
    return body.download.url
  }
  return (
    <>
      <div className={`row ${styles.file}`}>
        <span aria-hidden="true">▤</span>
        <strong>{name}</strong>
        <span className="muted">{bytesText(data.size_bytes)}</span>
        <span className="muted">
          SHA-256 <Hash value={data.output_hash} />
        </span>
        <OpenFile name={name} sha256={data.output_hash} link={link} />
      </div>
      <Checks results={data.checks ?? []} criteria={order.criteria} />
      {data.checks_pending ? <p className="small muted">{t('The checks of its criteria are under way.')}</p> : null}
    </>
  )
}

/**
 * Whether a text that is the delivery has the SHA-256 that was announced. Renders nothing if the text only
 * announces a file.
 */
function TextDigest({ text, announced }: { text: string; announced: string }) {
  const { data: found } = useQuery({
    queryKey: ['digest', text],
    queryFn: () => sha256Hex(new Blob([text])),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (found === undefined) return null
  return (
    <p className="small">
      {found === announced ? (
        <span className={styles.fits}>✓ {t('this text has the SHA-256 that was announced:')} </span>
      ) : (
        `${t('Bytes with this SHA-256 were announced, but not uploaded here:')} `
      )}
      <Hash value={announced} />
    </p>
  )
}
