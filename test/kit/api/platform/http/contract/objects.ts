import { urnString } from '../../../../../../protocol/encoding/urn.ts'
import { placed, threadOf } from '../../../trading.ts'
import { deliveredOrder, newBid, newQuote, newWallet, ownAsk, type World } from './things.ts'

/**
 * Makes an object of one kind in a world, in one of its orgs where the kind belongs to orgs. Returns its id
 * as requests name it.
 */
type Maker = (world: World, org: string) => Promise<string>

const page: Maker = async (world, org) =>
  made(world, `/orgs/${org}/pages`, { space: await space(world, org), title: 'Plan' })
const task: Maker = async (world, org) =>
  made(world, `/orgs/${org}/tasks`, { space: await space(world, org), title: 'Verse' })
const space: Maker = async (world, org) => made(world, `/orgs/${org}/spaces`, { name: 'Plans' })

/**
 * The maker of each kind of `idMembersOf`: prefixes of URNs, and members of the workspace that take a short
 * id.
 */
export const MAKERS: Readonly<Record<string, Maker>> = {
  agent: async ({ buyer }) => urnString('agent', buyer.agentId),
  human: async ({ buyer }) => urnString('human', buyer.humanId),
  ask: async (world) => (await ownAsk(world)).urn,
  bid: async (world) => (await newBid(world)).urn,
  quote: async (world) => (await newQuote(world)).urn,
  order: async ({ buyer, seller }) => (await placed(buyer, seller, 'custodied')).urn,
  thread: async (world) => threadOf(await deliveredOrder(world)),
  message: async (world) => {
    const thread_urn = await threadOf(await deliveredOrder(world))
    const body = { thread_urn, kind: 'text', body: 'Two lines are missing.' }
    return String((await world.market.api.send('POST', '/v1/messages', { token: world.buyer.token, body })).body.urn)
  },
  wallet: async (world) => (await newWallet(world)).urn,
  'the space': space,
  'the spaces': space,
  'the page': page,
  'the parent': page,
  'the task': task,
  'the after': task,
  'the thread': async (world, org) =>
    made(world, `/orgs/${org}/comments`, { page: await page(world, org), text: 'Why?' }),
  'the supersedes': async (world, org) =>
    made(world, `/orgs/${org}/decisions`, { space: await space(world, org), title: 'Verse' }),
  'the entry': async (world, org) =>
    made(world, `/orgs/${org}/pages/${await page(world, org)}/entries`, { text: 'One' }),
  'the secret': async (world, org) => made(world, `/orgs/${org}/secrets`, { name: 'API_KEY', value: 'correct horse' }),
  'the confirmation': async (world, org) => made(world, `/orgs/${org}/confirmations`, { question: 'May I?' }),
}

async function made({ market, buyer }: World, path: string, body: unknown): Promise<string> {
  const reply = await market.api.send('POST', path, { token: buyer.token, body })
  if (reply.status !== 201) throw new Error(`POST ${path} was answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return String(reply.body.short_id ?? reply.body.id)
}
