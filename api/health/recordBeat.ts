import { sql } from 'kysely'
import type { JobServices } from '../platform/jobs/services.ts'

/** Records that a worker runs jobs. It is itself a job, so it stops when jobs stop. */
export async function recordWorkerBeat({ db }: Pick<JobServices, 'db'>): Promise<void> {
  await sql`
    insert into market.worker_heartbeat (singleton, beat_at) values (true, clock_timestamp())
    on conflict (singleton) do update set beat_at = excluded.beat_at`.execute(db)
}
