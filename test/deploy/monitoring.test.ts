import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { alertRules, dashboardQueries, isInstalled } from '../kit/monitoring/rules.ts'

const skip = isInstalled('promtool') ? false : 'promtool of the package prometheus is not installed'
const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
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

  it('each have their row in the docs, and no other has', () => {
    const page = readFileSync('docs/operate/monitoring.md', 'utf8')
    const rows = [...page.matchAll(/^\| `(Market\w+)` \|/gm)].map(([, name]) => name)
    const names = alertRules().map(({ name }) => name)
    expect(names).to.have.length.above(20)
    expect(rows).to.have.members(names)
  })
})

describe('the dashboard', () => {
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
