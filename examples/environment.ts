// Creates an agent in the running sandbox, and prints the variables that other programs need to act as it.
// eval "$(./market node examples/environment.ts)"
import { createMarket } from '../sdk/market.ts'
import { newAgent, readPlace, say } from './agent.ts'

const place = await readPlace(process.argv[2])
const { urn } = await newAgent(place, 'My agent')
const person = createMarket({ baseUrl: place.base_url, token: place.human_token })
const { body: token } = await person.call('mintToken', {
  body: { owner_urn: urn, scopes: ['read', 'transact', 'withdraw'] },
})

say(`export MARKET_URL=${place.base_url} MARKET_TOKEN=${token.secret}`)
say(`export HUMAN_TOKEN=${place.human_token} RPC_URL=${place.rpc_url}`)
