import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { t } from '../../../../texts/texts.ts'
import styles from './BooksChart.module.css'
import { type Compared, differenceOf, drawn } from './difference.ts'
import { useTheme } from './useTheme.ts'

/** Comparisons to draw, newest first. */
export interface BooksChartProps {
  comparisons: readonly (Compared & { block_number: number })[]
}

const HEIGHT = 240
const STRIP_HEIGHT = 110

/**
 * Draws the booked sum and the sum on the chain over blocks. Equal lines hide each other, so that their
 * difference has a strip of its own.
 */
export function BooksChart({ comparisons }: BooksChartProps) {
  // It is drawn anew in the colours of another theme.
  return <Drawn key={useTheme()} comparisons={comparisons} />
}

function Drawn({ comparisons }: BooksChartProps) {
  const lines = useRef<HTMLDivElement>(null)
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [above, below] = [lines.current, strip.current]
    if (!above || !below) return
    const { blocks, booked, chain, gap } = seriesOf(comparisons)
    // A canvas needs the colours themselves, not their names.
    const paint = (token: string) => resolved(above, token)
    const font = `12px ${getComputedStyle(above).fontFamily}`
    const rule = { stroke: paint('--line'), width: 1 }
    const points = { show: false }
    const axis = { stroke: paint('--ink-2'), grid: rule, ticks: rule, font }
    const base = {
      width: above.clientWidth,
      legend: { live: false },
      scales: { x: { time: false } },
      cursor: { drag: { x: false, y: false } },
    }
    const largest = Math.max(0, ...gap.map(Math.abs))
    const drawnCharts = [
      new uPlot(
        {
          ...base,
          height: HEIGHT,
          series: [
            { label: t('Block') },
            { label: t('Ledger'), stroke: paint('--accent'), width: 2, points },
            { label: t('Chain'), stroke: paint('--ink'), width: 1, dash: [4, 4], points },
          ],
          axes: [{ ...axis }, { ...axis, size: 80 }],
        },
        [blocks, booked, chain],
        above,
      ),
      new uPlot(
        {
          ...base,
          height: STRIP_HEIGHT,
          scales: { ...base.scales, y: { range: [-(largest || 1), largest || 1] } },
          series: [
            { label: t('Block') },
            { label: t('Difference'), stroke: paint(largest ? '--disputed' : '--accent'), width: 2, points },
          ],
          axes: [{ ...axis }, { ...axis, size: 80 }],
        },
        [blocks, gap],
        below,
      ),
    ]
    const fit = new ResizeObserver(() => {
      for (const chart of drawnCharts) chart.setSize({ width: above.clientWidth, height: chart.height })
    })
    fit.observe(above)
    return () => {
      fit.disconnect()
      for (const chart of drawnCharts) chart.destroy()
    }
  }, [comparisons])
  return (
    <figure className={styles.figure}>
      <div ref={lines} className={styles.chart} />
      <div ref={strip} className={styles.chart} />
      <Caption comparisons={comparisons} />
    </figure>
  )
}

function Caption({ comparisons }: BooksChartProps) {
  const worst = comparisons.find((each) => Number(differenceOf(each)) !== 0)
  return (
    <figcaption className="small muted">
      {worst
        ? t('They differ by {difference} at block {number}.', {
            difference: differenceOf(worst),
            number: worst.block_number,
          })
        : t('No difference over the last {count, plural, one {comparison} other {# comparisons}}.', {
            count: comparisons.length,
          })}
    </figcaption>
  )
}

function seriesOf(comparisons: BooksChartProps['comparisons']) {
  const ordered = comparisons.toReversed()
  const sum = (side: 'booked' | 'on_chain') =>
    ordered.map(({ escrow, hot_wallet }) => drawn(escrow.balance[side]) + drawn(hot_wallet.balance[side]))
  return {
    blocks: ordered.map(({ block_number: block }) => block),
    booked: sum('booked'),
    chain: sum('on_chain'),
    gap: ordered.map((each) => drawn(differenceOf(each))),
  }
}

/** Returns the colour of a token in the current theme. */
function resolved(element: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.className = styles.probe ?? ''
  element.append(probe)
  probe.style.setProperty('color', `var(${token})`)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
