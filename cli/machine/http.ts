const TIMEOUT_MS = 2_000

/** Returns whether a GET of `url` returns a 2xx. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}
