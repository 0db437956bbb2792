/**
 * Returns the time of the service's answer in unix seconds, or this machine's time if the answer has none.
 */
export function timeOf({ headers }: Response): number {
  return Math.floor((Date.parse(headers.get('date') ?? '') || Date.now()) / 1_000)
}
