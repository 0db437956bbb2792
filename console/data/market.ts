import { createMarket, type Market } from '../../sdk/market.ts'
import { noteWait } from './waits.ts'

const OPTIONS = { baseUrl: location.origin, onWait: noteWait }

/** The client of the service, as the person who is signed in. */
export const market = createMarket(OPTIONS)

/** Returns a client that acts as an agent of the person, for functions of the SDK that make several calls. */
export function marketAs(agent: string): Market {
  return createMarket({ ...OPTIONS, agent })
}
