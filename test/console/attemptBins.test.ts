import { describe, it } from 'node:test'
import { expect } from 'chai'
import { attemptBins } from '../../console/pages/webhooks/internal/attemptBins.ts'

const at = (time: string, status_code: number | null) => ({ attempted_at: `2026-05-17T${time}Z`, status_code })

describe('the attempts of a webhook over time', () => {
  it('are counted by spans up to the last, those without an answer and without success as failed', () => {
    const attempts = [at('10:00:59.999', 200), at('10:02:00', 204), at('10:00:00', 500), at('10:02:59', null)]
    const bins = attemptBins(attempts)
    expect(bins).to.have.length(31)
    expect(bins.slice(-3).map(({ succeeded, failed }) => [succeeded, failed])).to.deep.equal([
      [1, 1],
      [0, 0],
      [1, 1],
    ])
    expect(new Date(bins.at(-1)?.fromMs ?? 0).toISOString()).to.equal('2026-05-17T10:02:00.000Z')
    expect(attemptBins([])).to.deep.equal([])
  })

  it('take the shortest spans that reach back to the first', () => {
    const spanMs = (...times: string[]) => {
      const [one, next] = attemptBins(times.map((time) => ({ attempted_at: time, status_code: 200 })))
      return (next?.fromMs ?? 0) - (one?.fromMs ?? 0)
    }
    expect(spanMs('2026-05-17T10:00:00Z', '2026-05-17T10:30:59Z')).to.equal(60_000)
    expect(spanMs('2026-05-17T09:59:59Z', '2026-05-17T10:30:59Z')).to.equal(300_000)
    expect(spanMs('2026-05-17T00:00:00Z', '2026-08-17T00:00:00Z')).to.equal(86_400_000)
  })
})
