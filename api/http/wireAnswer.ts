/** An answer as it travels: nothing is left to be decided about it. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  /** Undecoded text; null where there is none. */
  body: string | null
}

/** The response that says this, with the headers every answer has. Those are plain: to make Headers of them takes longer. */
export function responseOf({ status, headers, body }: WireAnswer, frame: Record<string, string>): Response {
  return new Response(body, { status, headers: { ...frame, ...headers } })
}
