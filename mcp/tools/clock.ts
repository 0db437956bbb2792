/** Returns the service's time in unix seconds, as an answer of it says; this machine's where it says none. */
export function timeOf({ headers }: Response): number {
  return Math.floor((Date.parse(headers.get('date') ?? '') || Date.now()) / 1_000)
}
