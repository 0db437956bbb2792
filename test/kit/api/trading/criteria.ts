import { checkDeliveries } from '../../../../api/trading/criteria/jobs.ts'
import { until } from '../../until.ts'
import type { Api } from '../platform/http/api.ts'
import { jobServices } from './disputes/arbitration.ts'

/**
 * Runs work while uploads are checked, one run after the other, as the worker does. Returns what the work
 * returns.
 */
export async function whileChecking<Result>(api: Api, work: () => Promise<Result>): Promise<Result> {
  let isDone = false
  const checkOnce = async () => {
    await checkDeliveries(jobServices(api))
    return isDone
  }
  const checking = until('the work beside the checks is done', checkOnce)
  try {
    return await work()
  } finally {
    isDone = true
    await checking
  }
}
