import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { parse } from 'yaml'
import { alertRules, dashboardQueries, isInstalled, metricsIn, readDashboard } from '../kit/monitoring/rules.ts'

const skip = isInstalled('promtool') ? false : 'promtool of the package prometheus is not installed'
const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

/** One of promtool's tests of rules. */
interface Case {
  input_series: { series: string }[]
  alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[]
  promql_expr_test?: { expr: string }[]
}

describe('the alerts', () => {
  it('are rules and a configuration that Prometheus takes', { skip }, () => {
    const checked = promtool('check', 'config', 'deploy/monitoring/prometheus.yml')
    expect(checked.status, checked.said).to.equal(0)
    expect(checked.said).to.include('1 rule files found')
  })

  it('tell of what is wrong, in time, and of nothing in a market that works', { skip }, () => {
    const tested = promtool('test', 'rules', 'deploy/monitoring/alerts.test.yaml')
    expect(tested.status, tested.said).to.equal(0)
  })

  it('each have a case in which they fire, and one in which they do not', () => {
    const { tests } = parse(readFileSync('deploy/monitoring/alerts.test.yaml', 'utf8')) as { tests: Case[] }
    const cases = tests.flatMap(({ alert_rule_test: told = [] }) => told)
    const fire = cases.filter(({ exp_alerts: alerts }) => alerts.length > 0).map(({ alertname }) => alertname)
    expect(new Set(fire)).to.deep.equal(new Set(alertRules().map(({ name }) => name)))
    // The first case is a market that works, and raises none.
    expect(tests[0]?.promql_expr_test?.[0]?.expr).to.equal('count(ALERTS) or vector(0)')
    const read = tests[0]?.input_series.map(({ series }) => series.split('{')[0]) ?? []
    for (const { name, text } of alertRules())
      expect(read, name).to.include.members(metricsIn(text.split('expr:')[1]?.split('labels:')[0] ?? ''))
  })

  it('each have their row in the docs, and no other has', () => {
    const page = readFileSync('docs/operate/monitoring.md', 'utf8')
    const rows = [...page.matchAll(/^\| `(Market\w+)` \|/gm)].map(([, name]) => name)
    const names = alertRules().map(({ name }) => name)
    expect(names).to.have.length.above(20)
    expect(rows).to.have.members(names)
  })
})

describe('the dashboard', () => {
  // By Grafana's reference of the dashboard's JSON model.
  it('has panels of Grafana itself, each at a place of its own, which ask the source that is chosen', () => {
    const { schemaVersion, templating, panels } = readDashboard()
    // Of Grafana 11, which later ones migrate.
    expect(schemaVersion).to.equal(39)
    const [chosen] = templating.list.filter(({ type, query }) => type === 'datasource' && query === 'prometheus')
    const source = { type: 'prometheus', uid: `\${${chosen?.name}}` }
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length)
    const taken = new Set<string>()
    for (const { type, title, gridPos, datasource, targets = [] } of panels) {
      expect(['row', 'stat', 'timeseries'], title).to.include(type)
      expect(gridPos.x + gridPos.w, title).to.be.within(1, 24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`), `${title} at ${x}, ${y}`).to.equal(false)
          taken.add(`${x} ${y}`)
        }
      if (type === 'row') continue
      expect([datasource, ...targets.map((target) => target.datasource)], title).to.deep.equal(
        Array(targets.length + 1).fill(source),
      )
      expect(targets, title).to.not.have.length(0)
      expect(new Set(targets.map(({ refId }) => refId)).size, title).to.equal(targets.length)
    }
  })

  it('has queries that Prometheus reads', { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'market-rules-'))
    try {
      const rules = dashboardQueries().map((expr, index) => ({ record: `query:${index}`, expr }))
      // JSON is YAML.
      writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
      const checked = promtool('check', 'rules', join(folder, 'rules.yaml'))
      expect(checked.status, checked.said).to.equal(0)
      expect(checked.said).to.include(`${rules.length} rules found`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
