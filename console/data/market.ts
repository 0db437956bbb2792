import { createMarket, type Market } from '../../sdk/market.ts'
import { noteWait } from './waits.ts'

const OPTIONS = { baseUrl: location.origin, onWait: noteWait }

/** The service that serves this page, as the person who is signed in. */
export const market = createMarket(OPTIONS)

/** Returns the same service, as an agent of the person: for what the SDK does with several calls. */
export function marketAs(agent: string): Market {
  return createMarket({ ...OPTIONS, agent })
}
