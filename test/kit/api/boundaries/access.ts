import { randomBytes, randomUUID } from 'node:crypto'
import { findSession, findToken } from '../../../../api/identity/authentication/internal/credentials.ts'
import { offerEnrolment } from '../../../../api/identity/enrolments/internal/use.ts'
import { createEnrolment } from '../../../../api/identity/enrolments/issue.ts'
import { createOrg } from '../../../../api/identity/orgs/internal/change.ts'
import { invite, join } from '../../../../api/identity/orgs/internal/invitations.ts'
import { findChallenge, openChallenge } from '../../../../api/identity/passkeys/challenges.ts'
import { openSession } from '../../../../api/identity/sessions/open.ts'
import { exchangeTicket } from '../../../../api/identity/tickets/internal/exchange.ts'
import { issueTicket } from '../../../../api/identity/tickets/internal/issue.ts'
import { rotateToken } from '../../../../api/identity/tokens/internal/rotate.ts'
import { issueToken } from '../../../../api/identity/tokens/mint.ts'
import { countSpending, NO_LIMIT } from '../../../../api/identity/tokens/spendLimit.ts'
import { makeLink, requireLink } from '../../../../api/trading/deliveries/link.ts'
import { giveToken, newTrade, type Party } from '../payments/escrow/world.ts'
import { placed } from './beginnings.ts'
import { amountOf, type Boundary, type Scene, told, until, upTo, windowOf } from './scene.ts'

const HOUR = 3_600
const FULL = { policy: 'reads', quota: 10, windowSeconds: 60, used: 0, resetsSeconds: 60 } as const

const person = async (scene: Scene) => (await newTrade(scene, 'custodied')).buyer
/** The call of a person, who acts as themselves. */
const asHuman = ({ settings }: Scene, { call }: Party) => ({
  ...{ settings, requestId: randomUUID() },
  actor: { ...call.actor, agentId: null, scopes: ['read', 'transact', 'withdraw', 'manage'] as const },
})
const signedIn = async (scene: Scene) => {
  const { humanId } = await person(scene)
  const [id, bytes] = [randomUUID(), randomBytes(16)]
  const key = { credential_id: bytes, public_key: bytes, counter: 0n, transports: [], name: 'Key', is_backed_up: false }
  await scene.db
    .insertInto('market.passkeys')
    .values({ id, human_id: humanId, ...key })
    .execute()
  const { secret } = await openSession(scene.tx, scene.settings, { humanId, passkeyId: id, formerSecret: undefined })
  return secret
}
const session = (scene: Scene, secret: string) => findSession(scene, secret, FULL)
const seenNow = async (scene: Scene, secret: string, atSeconds: number) => {
  await scene.moveTo(atSeconds)
  await session(scene, secret)
}
const token = async (scene: Scene, expiresAt: Date | null) => {
  const { humanId } = await person(scene)
  const grant = { humanId, agentId: null, scopes: ['read'] as const, expiresAt, spendLimit: NO_LIMIT }
  return issueToken(scene.tx, humanId, grant)
}

/** Every boundary of what lets somebody in, and of what a token may pay. */
export const ACCESS: readonly Boundary[] = [
  windowOf(
    'rateWindowSeconds',
    async (scene) => {
      const secret = await signedIn(scene)
      await session(scene, secret)
      return secret
    },
    {
      'a session counts its calls from one again': [
        async (scene, secret) => `${(await session(scene, secret)).used}`,
        ...told('2', '1', '1'),
      ],
    },
  ),
  windowOf(
    'linkSeconds',
    async ({ tx, settings }) => {
      const target = { kind: 'delivery', id: randomUUID(), account: randomUUID() } as const
      const { url, expires_at } = await makeLink(tx, settings, target)
      const signature = new URL(url).searchParams.get('signature') ?? ''
      return { link: { ...target, expires: Date.parse(expires_at) / 1_000 }, signature }
    },
    {
      'a link leads to the bytes of a delivery': [
        ({ tx, settings }, { link, signature }) => requireLink(tx, settings, link, signature),
        ...until('deliveries/link-expired'),
      ],
    },
  ),
  amountOf('maxOwnedOrgs', person, {
    'a person founds the so-manieth org': [
      async (scene, party, step) => {
        const settings = { ...scene.settings, rules: { ...scene.settings.rules, maxOwnedOrgs: 1 - step } }
        return createOrg(scene.tx, { ...asHuman(scene, party), settings }, { slug: 'works', displayName: 'Works' })
      },
      ...upTo('orgs/too-many'),
    ],
  }),
  windowOf('sessionIdleSeconds', signedIn, {
    'a session lets its human in': [session, ...until('auth/unauthenticated')],
  }),
  windowOf(
    'sessionSeconds',
    async (scene) => {
      const secret = await signedIn(scene)
      const { sessionSeconds, sessionIdleSeconds } = scene.settings.rules
      for (let at = sessionIdleSeconds / 2; at < sessionSeconds; at += sessionIdleSeconds / 2)
        await seenNow(scene, secret, at)
      return secret
    },
    { 'a session in use lets its human in': [session, ...until('auth/unauthenticated')] },
  ),
  windowOf('freshPasskeySeconds', signedIn, {
    'its passkey is fresh': [async (scene, secret) => (await session(scene, secret)).session?.isFresh, ...until('no')],
  }),
  windowOf(
    'passkeyChallengeSeconds',
    async ({ tx, settings }) => {
      const challenge = await openChallenge(tx, settings, { purpose: 'sign_in' })
      return Buffer.from(JSON.stringify({ challenge })).toString('base64url')
    },
    {
      'a passkey answers': [
        ({ db }, clientDataJson) => findChallenge(db, 'sign_in', clientDataJson),
        ...until('passkeys/challenge-invalid'),
      ],
    },
  ),
  windowOf(
    'ticketSeconds',
    async (scene) => {
      const party = await person(scene)
      const grant = { scopes: ['read'] as const, expiresAt: undefined, spendLimit: NO_LIMIT }
      return (await issueTicket(scene.tx, asHuman(scene, party), party.agentId, grant)).ticket
    },
    {
      'an agent exchanges its ticket': [
        ({ tx }, ticket) => exchangeTicket(tx, ticket),
        ...until('auth/ticket-invalid'),
      ],
    },
  ),
  windowOf(
    'ticketSeconds',
    async (scene) => {
      const { humanId } = await person(scene)
      const { ticketSeconds: validSeconds } = scene.settings.rules
      return (await createEnrolment(scene.tx, { humanId, issuedBy: humanId, validSeconds })).enrolment
    },
    {
      'a human uses an enrolment': [
        ({ tx, settings }, enrolment) => offerEnrolment(tx, settings, enrolment),
        ...until('auth/ticket-invalid'),
      ],
    },
  ),
  windowOf(
    'rotationRepeatSeconds',
    async (scene) => {
      const party = await person(scene)
      const grant = { humanId: party.humanId, agentId: null, scopes: ['read'] as const, expiresAt: null }
      const { id, secret } = await issueToken(scene.tx, party.humanId, { ...grant, spendLimit: NO_LIMIT })
      const call = asHuman(scene, party)
      await rotateToken(scene.tx, { ...call, actor: { ...call.actor, tokenId: id } }, id)
      return secret
    },
    {
      'the former token repeats its rotation': [
        (scene, secret) => findToken(scene, secret, true, FULL),
        ...until('auth/unauthenticated'),
      ],
      'the former token does anything else': [
        (scene, secret) => findToken(scene, secret, false, FULL),
        ...told('auth/unauthenticated', 'auth/unauthenticated', 'auth/unauthenticated'),
      ],
    },
  ),
  windowOf(['a token’s expiry', HOUR], async (scene) => token(scene, await scene.timeAt(HOUR)), {
    'the token lets its account in': [
      (scene, { secret }) => findToken(scene, secret, false, FULL),
      ...until('auth/unauthenticated'),
    ],
  }),
  amountOf(['the limits of a token'], placed, {
    'one payment is of what it may pay in a day': [
      async (scene, { buyer }, step) => {
        await giveToken(scene, buyer, 100n)
        return countSpending(scene.tx, buyer.call.actor, 100n + BigInt(step))
      },
      ...upTo('tokens/spend-limit'),
    ],
    'two payments are of what it may pay in a day': [
      async (scene, { buyer }, step) => {
        await giveToken(scene, buyer, 100n)
        await countSpending(scene.tx, buyer.call.actor, 60n)
        return countSpending(scene.tx, buyer.call.actor, 40n + BigInt(step))
      },
      ...upTo('tokens/spend-limit'),
    ],
    'one payment is of what it may pay at once': [
      async (scene, { buyer }, step) => {
        await giveToken(scene, buyer)
        const token = scene.db.updateTable('market.tokens').where('id', '=', buyer.call.actor.tokenId)
        await token.set({ per_order_micros: 100n }).execute()
        return countSpending(scene.tx, buyer.call.actor, 100n + BigInt(step))
      },
      ...upTo('tokens/spend-limit'),
    ],
  }),
  windowOf(
    'invitationSeconds',
    async (scene) => {
      const { buyer, seller } = await newTrade(scene, 'custodied')
      const { actor } = asHuman(scene, buyer)
      const by = { actor, settings: scene.settings }
      const org = await createOrg(scene.tx, by, { slug: `org-${randomUUID().slice(0, 8)}`, displayName: 'Works' })
      await invite(scene.tx, by, org.id, { humanId: seller.humanId, role: 'member' })
      return { seller, org }
    },
    {
      'the invited join': [
        (scene, { seller, org }) => join(scene.tx, asHuman(scene, seller), org.id),
        ...until('resource/not-found'),
      ],
    },
  ),
]
