import { useEffect, useState } from 'react'
import { t } from '../../../texts/texts.ts'

/** The time that a claim still holds, counted down. Afterwards the task is open again. */
export function Lease({ until }: { until: string }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.floor((Date.parse(until) - nowMs) / 1_000))
  return (
    <time dateTime={until} title={until} className="muted" role="timer">
      {left === 0 ? t('claim expired') : t('claim ends in {time}', { time: textOf(left) })}
    </time>
  )
}

function textOf(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
