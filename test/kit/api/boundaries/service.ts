import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { holdActiveAgent } from '../../../../api/identity/accounts/owner.ts'
import { finishExport } from '../../../../api/identity/exports/internal/build.ts'
import { linkExport } from '../../../../api/identity/exports/internal/find.ts'
import { requestExport } from '../../../../api/identity/exports/internal/request.ts'
import { createOrg } from '../../../../api/identity/orgs/internal/change.ts'
import { exportSections } from '../../../../api/modules.ts'
import { confirmedAt } from '../../../../api/payments/chain/nodes.ts'
import { answerOnce } from '../../../../api/platform/http/serve/idempotency.ts'
import { accountLimit, limitAddress, recordRateLimit } from '../../../../api/platform/http/serve/limits.ts'
import type { IdempotentCall, Services } from '../../../../api/platform/http/serve/services.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { rotateSecret } from '../../../../api/platform/webhooks/change.ts'
import { createWebhook } from '../../../../api/platform/webhooks/create.ts'
import { leaseDeliveries } from '../../../../api/platform/webhooks/internal/lease.ts'
import { ownWebhooks } from '../../../../api/platform/webhooks/owner.ts'
import { receiveDelivery } from '../../../../api/trading/deliveries/internal/receive.ts'
import { receiveFile } from '../../../../api/trading/disputes/evidence/internal/receive.ts'
import { reserveBytes } from '../../../../api/workspace/attachments/storage.ts'
import { newTrade } from '../payments/escrow/world.ts'
import { disputed, nothing, paid, placed } from './beginnings.ts'
import {
  amountOf,
  type Boundary,
  limiting,
  type Scene,
  type Step,
  seconds,
  startingAt,
  told,
  until,
  upTo,
  windowOf,
} from './scene.ts'

const services = (settings: Scene['settings'], db: Scene['db']) => ({ settings, db }) as unknown as Services
const ADDRESS = randomUUID()
/** What a handler sets of its answer, and asks of who calls. */
const contextOf = (method: string) => {
  const known = new Map<string, unknown>([['addressSubject', () => ADDRESS]])
  const [get, set] = [(name: string) => known.get(name), (name: string, value: unknown) => known.set(name, value)]
  return { req: { method }, header: () => {}, get, set } as unknown as Parameters<typeof limitAddress>[1]
}
/** The so-manieth call of an account within a window. */
const counted = (method: string) => async (scene: Scene, _given: unknown, step: Step) => {
  const context = contextOf(method)
  const limit = accountLimit(services(scene.settings, scene.db), { isCountedAsRead: false } as never, context)
  await recordRateLimit({}, context, limit, { account: ADDRESS, used: limit.quota + step, resets_seconds: 1 })
}

const BYTES = Buffer.from('nine byte')
const sha256 = createHash('sha256').update(BYTES).digest('hex')
/** So many bytes as they arrive; nothing says before how many they are. */
const arriving = () => ({ body: Buffer.alloc(0), header: () => undefined, stream: new Blob([BYTES]).stream() })

const WEBHOOK = { url: 'https://hooks.example/market', eventTypes: ['order.*'] }
const hooked = async (scene: Scene) => {
  const { buyer } = await newTrade(scene, 'custodied')
  const by = { owner: ownWebhooks(buyer.call.actor), settings: scene.settings, holdAgent: holdActiveAgent }
  const { row } = await createWebhook(scene.tx, by, WEBHOOK)
  return { by, id: row.id }
}

const callOf = (scene: Scene): IdempotentCall => ({
  ...{ scope: randomUUID(), operation: 'placeOrder', key: randomUUID(), fingerprint: Buffer.from('a request') },
  ...{ tokenId: null, bearer: 'a token', settings: scene.settings },
})
/** Whether a call has an effect, and not the answer of an earlier one. */
const hasEffect = async ({ tx }: Scene, given: IdempotentCall) => {
  const answer = { status: 201, headers: {}, body: '{}' }
  const { headers } = await answerOnce(tx, given, async () => ({ answer, isSecret: false }))
  return !('Idempotent-Replayed' in headers)
}

/** Every boundary of what the service counts, keeps and stores for those who use it. */
export const SERVICE: readonly Boundary[] = [
  windowOf(
    'idempotencySeconds',
    async (scene) => {
      const given = callOf(scene)
      await hasEffect(scene, given)
      return given
    },
    { 'a call under the same key has an effect again': [hasEffect, ...startingAt('no')] },
  ),
  amountOf('maxReads', nothing, {
    'an account makes the so-manieth read of a window': [counted('GET'), ...upTo('request/rate-limited')],
  }),
  amountOf('maxWrites', nothing, {
    'an account makes the so-manieth write of a window': [counted('POST'), ...upTo('request/rate-limited')],
  }),
  amountOf('maxAnonymous', nothing, {
    'an address makes the so-manieth call of a window': [
      async (scene, _given, step) => {
        const limited = services(limiting(scene, 'maxAnonymous', 2, step), scene.tx)
        for (let call = 1; call <= 2; call++) await limitAddress(limited, contextOf('GET'))
      },
      ...upTo('request/rate-limited'),
    ],
  }),
  windowOf(
    'exportSeconds',
    async (scene) => {
      const { tx, settings } = scene
      const { buyer } = await newTrade(scene, 'custodied')
      const { id } = await requestExport(tx, buyer.call.actor)
      await sql`update market.exports set next_section = ${exportSections.length} where id = ${id}`.execute(tx)
      await finishExport(tx, settings, id, exportSections)
      return { actor: buyer.call.actor, id }
    },
    {
      'its human gets the file of an export': [
        async ({ tx, settings }, { actor, id }) => (await linkExport(tx, settings, actor, id)) !== '',
        ...until('exports/not-ready'),
      ],
    },
  ),
  windowOf(
    'webhookOverlapSeconds',
    async (scene) => {
      const { by, id } = await hooked(scene)
      await rotateSecret(scene.tx, by, id)
      await sql`insert into market.webhook_deliveries (subscription_id, event_id, event_type, body)
        values (${id}, ${randomUUID()}, 'order.placed', '{}')`.execute(scene.tx)
    },
    {
      'the former secret signs a delivery, too': [
        async ({ tx }) => {
          const limits = { atMost: 1, perWebhook: 1, except: [], leaseSeconds: 60 }
          const [delivery] = await leaseDeliveries(tx, limits)
          return delivery ? delivery.former_secret !== null : 'nothing is due'
        },
        ...until('no'),
      ],
    },
  ),
  amountOf('maxWebhooks', hooked, {
    'an account makes the so-manieth webhook': [
      async (scene, { by }, step) =>
        createWebhook(scene.tx, { ...by, settings: limiting(scene, 'maxWebhooks', 2, step) }, WEBHOOK),
      ...upTo('webhooks/too-many'),
    ],
  }),
  amountOf('liabilityTreesKept', nothing, {
    'so many roots are published: is the tree of the first removed?': [
      async (scene, _given, step) => {
        const { tx } = scene
        await sql`insert into market.liabilities (block_number, document, key_id, signature)
          select block, '{}', 'k', 's' from generate_series(1, ${seconds(scene, 'liabilityTreesKept', step)}::int) block
        `.execute(tx)
        await sql`select market.remove_liability_trees(${scene.settings.rules.liabilityTreesKept})`.execute(tx)
        const first = tx.selectFrom('market.liabilities').select('has_tree').orderBy('block_number')
        return !(await first.executeTakeFirstOrThrow()).has_tree
      },
      ...told('no', 'no', 'yes'),
    ],
  }),
  amountOf('maxDeliveryBytes', paid, {
    'a delivery of so many bytes arrives': [
      async (scene, { seller, orderId }, step) => {
        const limited = services(limiting(scene, 'maxDeliveryBytes', BYTES.length, step), scene.tx)
        const query = { order_urn: orderId, output_hash: sha256 }
        return receiveDelivery(limited, seller.call, { query, raw: arriving() } as never)
      },
      ...upTo('request/too-large'),
    ],
  }),
  amountOf('maxEvidenceBytes', disputed('open'), {
    'a file of so many bytes is handed in': [
      async (scene, { buyer, disputeId }, step) => {
        const limited = services(limiting(scene, 'maxEvidenceBytes', BYTES.length, step), scene.tx)
        const input = { params: { urn: disputeId }, query: { sha256 }, raw: arriving() }
        return receiveFile(limited, buyer.call, input as never)
      },
      ...upTo('request/too-large'),
    ],
  }),
  amountOf('maxOrgBytes', placed, {
    'the files of an org take up so much, with those that are on their way': [
      async (scene, { buyer }, step) => {
        const by = { actor: { ...buyer.call.actor, agentId: null }, settings: scene.settings }
        const { id } = await createOrg(scene.tx, by as never, { slug: 'works', displayName: 'Works' })
        const { rules } = limiting(scene, 'maxOrgBytes', 9, step)
        await reserveBytes(scene.tx, rules, id, 4n)
        return reserveBytes(scene.tx, rules, id, 5n)
      },
      ...upTo('workspace/quota-exceeded'),
    ],
  }),
  amountOf(['the depth of a confirmed block'], nothing, {
    'a block is so deep: is it confirmed?': [
      async ({ settings }, _given, step) => {
        const newest = 100n + BigInt(settings.chain.confirmations + step)
        return (confirmedAt({ settings } as JobServices, newest) ?? -1n) >= 100n
      },
      ...startingAt('no'),
    ],
    'the chain is so long: is any block confirmed?': [
      async ({ settings }, _given, step) =>
        confirmedAt({ settings } as JobServices, BigInt(settings.chain.confirmations + step)) !== undefined,
      ...startingAt('no'),
    ],
  }),
]
