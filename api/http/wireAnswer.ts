/** An answer as it travels: nothing is left to be decided about it. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  /** Undecoded; null where there is none. */
  body: Buffer | null
}

/** The response that says this. */
export function responseOf({ status, headers, body }: WireAnswer): Response {
  return new Response(body && new Uint8Array(body), { status, headers })
}
