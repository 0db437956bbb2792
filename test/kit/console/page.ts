// Before any module of the console is loaded: they read `location` at once.

interface SentCall {
  method: string
  path: string
  body: unknown
}

/** The page of a browser, without one: for modules of the console that show nothing. */
export interface TestPage {
  /** What the browser keeps for the site. */
  storage: Map<string, string>
  /** The service's answers to reads, by path. */
  answers: Map<string, unknown>
  /** The writes that were sent to the service. All succeed. */
  sent: SentCall[]
  /** Puts a wallet into the page, which announces itself (EIP-6963). */
  addWallet: (request: (method: string, params: readonly unknown[]) => unknown) => void
}

/**
 * Gives modules of the console what they take from a browser. A test file calls it once, in a process of its
 * own (lanes.ts).
 */
export function openPage(): TestPage {
  const storage = new Map<string, string>()
  const answers = new Map<string, unknown>()
  const sent: SentCall[] = []
  const events = new EventTarget()
  const answer = async (input: string | URL | Request, request: RequestInit = {}) => {
    const path = decodeURIComponent(new URL(String(input)).pathname)
    const { method = 'GET', body } = request
    if (method === 'GET' && answers.has(path)) return Response.json(answers.get(path))
    if (method === 'GET') return new Response(null, { status: 404 })
    sent.push({ method, path, body: JSON.parse(String(body ?? 'null')) })
    return Response.json({}, { status: 201 })
  }
  const globals = {
    location: { origin: 'http://market.test', host: 'market.test' },
    localStorage: {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => void storage.set(name, value),
    },
    fetch: answer,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
  }
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value })
  const addWallet: TestPage['addWallet'] = (request) => {
    const info = { uuid: crypto.randomUUID(), name: 'Wallet', icon: '', rdns: 'test.wallet' }
    const provider = {
      request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
        request(method, params),
    }
    const announce = () =>
      events.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
    events.addEventListener('eip6963:requestProvider', announce)
  }
  return { storage, answers, sent, addWallet }
}
