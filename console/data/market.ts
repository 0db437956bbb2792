import { createMarket } from '../../sdk/market.ts'

/** The service that serves this page, as the person who is signed in. */
export const market = createMarket({ baseUrl: location.origin })
