import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const FOLDER = 'deploy/monitoring'

/** The names of the metrics that a query reads. */
export function metricsIn(query: string): string[] {
  return query.match(/\b(?:(?:market|nodejs|process|ponder)_\w+|up)\b(?=\s*[{[)<>=\s]|$)/g) ?? []
}

interface Panel {
  id: number
  type: string
  title: string
  /** Its place on a grid 24 wide. */
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { type: string; uid: string }
  targets?: { refId: string; expr: string; datasource: { type: string; uid: string } }[]
}

interface Dashboard {
  schemaVersion: number
  templating: { list: { name: string; type: string; query: string }[] }
  panels: Panel[]
}

/** The dashboard. */
export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(`${FOLDER}/dashboard.json`, 'utf8'))
}

/** The queries of the dashboard, with a range in the place of Grafana's variable. */
export function dashboardQueries(range = '1m'): string[] {
  const { panels } = readDashboard()
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  return queries.map((query) => query.replaceAll('$__rate_interval', range))
}

/** An alert of the rules, with its whole text. */
export interface Alert {
  name: string
  text: string
}

/** The alerts of the rules. */
export function alertRules(): Alert[] {
  const [, ...parts] = readFileSync(`${FOLDER}/alerts.yaml`, 'utf8').split(/^ +- alert: /m)
  return parts.map((text) => ({ name: text.split('\n')[0] ?? '', text }))
}

/** Whether a program of Debian's package `prometheus` is here. */
export function isInstalled(program: 'promtool' | 'prometheus'): boolean {
  return spawnSync(program, ['--version']).status === 0
}
