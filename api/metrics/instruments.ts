import { Counter, Gauge, Histogram } from '@prometheus-io/client'
import { registry } from '../../protocol/telemetry/metrics.ts'
import { type Db, type IndexDb, useOf } from '../platform/db/pool.ts'
import type { Answered } from '../platform/http/serve/services.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const JOB_SECONDS = [0.01, 0.05, 0.25, 1, 5, 30, 120]

const requests = new Counter({
  name: 'market_http_requests_total',
  help: 'Answered requests, by the template of their route.',
  labelNames: ['method', 'route', 'status'],
  registers: [registry],
})
const durations = new Histogram({
  name: 'market_http_request_duration_seconds',
  help: 'From the request to the head of its answer.',
  labelNames: ['method', 'route'],
  buckets: SECONDS,
  registers: [registry],
})
const jobs = new Histogram({
  name: 'market_job_duration_seconds',
  help: 'Runs of jobs, by the name of the job, and whether it failed.',
  // Prometheus itself has a label `job`.
  labelNames: ['task', 'outcome'],
  buckets: JOB_SECONDS,
  registers: [registry],
})
const refusals = new Counter({
  name: 'market_job_refusals_total',
  help: 'Ends of jobs, and renewals of their locks, that the queue refused because another worker had been given the job.',
  registers: [registry],
})

/** Counts an answered request. Its route is a template of ours, so a caller makes no new series. */
export function countRequest({ method, route, status, durationMs }: Answered): void {
  requests.inc({ method, route, status })
  durations.observe({ method, route }, durationMs / 1_000)
}

/** Counts a run of a job. */
export function countJob(job: string, outcome: 'done' | 'failed' | 'waits', durationMs: number): void {
  jobs.observe({ task: job, outcome }, durationMs / 1_000)
}

/** Counts a job that this worker lost to another run. */
export function countRefusal(): void {
  refusals.inc()
}

/** Measures the pools of this process's connections whenever somebody asks. */
export function watchPools(pools: Readonly<Record<string, Db | IndexDb>>): void {
  new Gauge({
    name: 'market_pool_connections',
    help: 'Connections of a pool: open, those of them that are idle, and the most there may be.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, db] of Object.entries(pools)) {
        const { total, idle, most } = useOf(db)
        this.set({ pool, state: 'total' }, total)
        this.set({ pool, state: 'idle' }, idle)
        this.set({ pool, state: 'most' }, most)
      }
    },
  })
  new Gauge({
    name: 'market_pool_waiting',
    help: 'Statements that wait for a connection of a pool.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, db] of Object.entries(pools)) this.set({ pool }, useOf(db).waiting)
    },
  })
}
