import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { servedRoutes } from '../../../api/app.ts'
import type { OrgRole } from '../../../api/platform/db/generated/tables.ts'
import type { RouteDefinition } from '../../../api/platform/http/route/route.ts'
import { expectProblem, type Reply } from '../../kit/api/platform/http/api.ts'
import { RULES, type Rule } from '../../kit/api/platform/http/contract/rules.ts'
import { furnish, type Naming, placeIn, type World } from '../../kit/api/platform/http/contract/things.ts'
import { newTrader, startMarket, type TestMarket, type Trader } from '../../kit/api/trading.ts'

const OF_OWNERS = ['deleteOrg', 'changeOrgRole']
const OF_ADMINS = [
  ...['renameOrg', 'removeOrgMember', 'inviteOrgMember', 'inviteByEmail', 'listEmailInvitations'],
  ...['withdrawEmailInvitation', 'listOrgInvitations', 'withdrawOrgInvitation'],
  ...['pauseOrgAgent', 'resumeOrgAgent', 'revokeOrgAgent', 'setKillSwitch', 'setSecretPolicy'],
  ...['purgeAttachment', 'deleteAttachmentVersion', 'emptyTrash'],
  ...['createOrgWebhook', 'listOrgWebhooks', 'getOrgWebhook', 'updateOrgWebhook', 'deleteOrgWebhook'],
  ...['rotateOrgWebhookSecret', 'testOrgWebhook', 'listOrgWebhookDeliveries', 'getOrgWebhookDelivery'],
  ...['replayOrgWebhookDelivery', 'recoverOrgWebhook'],
]
/** Of the author, or the member who has claimed it, and of owners and admins. */
const OF_ITS_MEMBER_AND_ADMINS = [
  ...['deleteEntry', 'deleteComment', 'deleteView', 'replaceSecretValue', 'deleteSecret', 'undoImport'],
  ...['releaseTask', 'withdrawTaskOffer'],
]
/** Of the author, or the member who has claimed it: nobody else writes in their name. */
const OF_ITS_MEMBER = ['editEntry', 'editComment', 'submitTask']
/** Of one person: to other members it is as nothing. */
const OF_ONE_PERSON = ['joinOrg', 'addOrgAgent', 'getConfirmation', 'answerConfirmation']

describe('another member of the org', () => {
  let market: TestMarket
  let world: World
  let member: Trader
  let admin: Trader
  before(async () => {
    market = await startMarket()
    world = await furnish(market)
    member = await newTrader(market, { wallet: 'unbound' })
    admin = await newTrader(market, { wallet: 'unbound' })
  })
  after(() => market.stop())

  const send = (
    route: RouteDefinition,
    { owner }: Rule,
    naming: Naming,
    { humanToken, token }: Trader,
  ): Promise<Reply> =>
    market.api.send(route.method.toUpperCase(), placeIn(route.path, naming), {
      token: owner === 'buyerHuman' ? humanToken : token,
      ...(naming.body === undefined ? {} : { body: naming.body }),
      ...(naming.raw === undefined ? {} : { raw: naming.raw }),
      redirect: 'manual',
      headers: { ...naming.headers },
    })
  const join = async ({ path, urn = '' }: Naming, { humanId }: Trader, role: OrgRole) => {
    const org = path?.org === undefined ? sql`id = ${urn.slice(-36)}` : sql`slug = ${path.org}`
    await sql`insert into market.org_members (org_id, human_id, role)
      select id, ${humanId}, ${role} from market.orgs where ${org}`.execute(market.api.db)
  }
  const named = async (rule: Rule) => {
    const naming = await rule.name(world)
    await join(naming, member, 'member')
    await join(naming, admin, 'admin')
    return naming
  }

  for (const route of servedRoutes) {
    const rule = RULES[route.operationId]
    if (!rule || !(route.path.startsWith('/orgs/{org}') || route.path.startsWith('/v1/me/orgs/{urn}'))) continue
    const [ofMembers, ofAdmins] = answersTo(route, rule)
    it(`is answered ${ofMembers}, and an admin ${ofAdmins}, to ${route.operationId}`, async () => {
      const naming = await named(rule)
      expectAnswer(await send(route, rule, naming, member), ofMembers)
      // The member may have used it up.
      const isUsed = ofMembers < 400 && route.method !== 'get'
      expectAnswer(await send(route, rule, isUsed ? await named(rule) : naming, admin), ofAdmins)
    })
  }
})

/**
 * Returns the statuses of the answers to a member and to an admin. Every member may do what is in no list.
 */
function answersTo({ operationId }: RouteDefinition, { ok }: Rule): [number, number] {
  if (OF_ONE_PERSON.includes(operationId)) return [404, 404]
  if ([...OF_OWNERS, ...OF_ITS_MEMBER].includes(operationId)) return [403, 403]
  if ([...OF_ADMINS, ...OF_ITS_MEMBER_AND_ADMINS].includes(operationId)) return [403, ok]
  return [ok, ok]
}

function expectAnswer(reply: Reply, status: number): void {
  if (status === 404) expectProblem(reply, 404, 'resource/not-found')
  else if (status === 403) expectProblem(reply, 403, 'auth/forbidden')
  else expect(reply.status, JSON.stringify(reply.body)).to.equal(status)
}
