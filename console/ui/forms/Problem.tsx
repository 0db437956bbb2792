import { useState } from 'react'
import { ApiProblem } from '../../../sdk/problem.ts'
import { changesOf } from '../../data/conflicts.ts'
import { Trans } from '../../texts/Trans.tsx'
import { t } from '../../texts/texts.ts'
import { Data } from '../values/Data.tsx'
import { clockText } from '../values/format.ts'
import { Hash } from '../values/Hash.tsx'
import styles from './Problem.module.css'

// The messages of browsers for a request without an answer.
const UNREACHABLE = /fetch|network|load failed/i

/**
 * Shows an error in the service's words, with the fields that have changed, the time of another try, and the
 * request's id. Renders nothing without an error.
 */
export function Problem({ error }: { error: unknown }) {
  if (!error) return null
  const isOurs = error instanceof ApiProblem
  const page = isOurs && error.type.startsWith('market:error:') ? `/problems/${error.type.slice(13)}` : undefined
  return (
    <div role="alert" className={styles.problem}>
      <p>{textOf(error)}</p>
      {isOurs ? <Changes error={error} /> : null}
      {isOurs && error.retryAfterSeconds ? <TryAgain key={error.instance} seconds={error.retryAfterSeconds} /> : null}
      {isOurs ? (
        <p className="small muted">
          {page ? <a href={page}>{error.type}</a> : error.type}
          {error.instance ? (
            <>
              {' · '}
              <Hash value={error.instance} label={t('Copy the request’s id')} />
            </>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}

function Changes({ error }: { error: ApiProblem }) {
  const changes = changesOf(error)
  if (changes.length === 0) return null
  return (
    <p>
      {t('Changed in the meantime:')}{' '}
      {changes.map(({ name, was, is }, place) => (
        <span key={name}>
          {place === 0 ? '' : '; '}
          <Trans message="{name}, from {was} to {is}" name={name} was={<Data value={was} />} is={<Data value={is} />} />
        </span>
      ))}
      . {t('The page shows the new values.')}
    </p>
  )
}

function TryAgain({ seconds }: { seconds: number }) {
  const [at] = useState(() => new Date(Date.now() + seconds * 1_000).toISOString())
  return <p>{t('You can try again at {time}.', { time: clockText(at) })}</p>
}

function textOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.detail ?? error.message
  if (error instanceof TypeError && UNREACHABLE.test(error.message))
    return t('The service does not answer. What you typed is kept; try again.')
  return error instanceof Error ? error.message : String(error)
}
