import { serve } from '../../platform/http/serve/serve.ts'
import * as answers from './answerInvitation.ts'
import * as byEmail from './emailInvitations.ts'
import { listOrgRows, readOrg, toOrg } from './find.ts'
import * as change from './internal/change.ts'
import * as invitations from './internal/invitations.ts'
import * as members from './internal/members.ts'
import * as routes from './routes.ts'

const none = { status: 204, body: undefined } as const

export const orgHandlers = [
  serve(routes.createOrg, async (tx, call, { body }) => {
    const org = { slug: body.slug, displayName: body.display_name }
    return { status: 201, body: toOrg(await change.createOrg(tx, call, org)) }
  }),

  serve(routes.listOrgs, async (tx, { actor }, { list }) => {
    const { items: orgs, next_cursor } = await list.read(
      ({ from, limit }) => listOrgRows(tx, actor, { before: from, limit }),
      toOrg,
    )
    return { status: 200, body: { orgs, next_cursor } }
  }),

  serve(routes.getOrg, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toOrg(await readOrg(tx, actor, params.urn)),
  })),

  serve(routes.renameOrg, async (tx, { actor }, { params, body }) => ({
    status: 200,
    body: toOrg(await change.renameOrg(tx, actor, params.urn, body.display_name)),
  })),

  serve(routes.deleteOrg, async (tx, { actor }, { params }) => {
    await change.deleteOrg(tx, actor, params.urn)
    return none
  }),

  serve(routes.listMembers, async (tx, { actor }, { params, list }) => {
    const { items, next_cursor } = await list.read(
      ({ from, limit }) => members.listMemberRows(tx, actor, params.urn, { after: from, limit }),
      members.toMember,
    )
    return { status: 200, body: { members: items, next_cursor } }
  }),

  serve(routes.changeRole, async (tx, call, { params, body }) => {
    const changed = { orgId: params.urn, humanId: params.human_urn, role: body.role }
    return { status: 200, body: members.toMember(await members.changeRole(tx, call, changed)) }
  }),

  serve(routes.removeMember, async (tx, call, { params }) => {
    await members.removeMember(tx, call, params.urn, params.human_urn)
    return none
  }),

  serve(routes.inviteMember, async (tx, call, { params, body }) => {
    const invited = { humanId: body.human_urn, role: body.role }
    return { status: 201, body: invitations.toInvitation(await invitations.invite(tx, call, params.urn, invited)) }
  }),

  serve(routes.inviteByEmail, async (tx, call, { params, body }) => {
    const { invitation, link } = await byEmail.inviteByEmail(tx, call, params.urn, body)
    const shown = byEmail.toEmailInvitation(call.settings, invitation)
    return { status: 201, body: { invitation: shown, ...(link === undefined ? {} : { link }) } }
  }),

  serve(routes.listEmailInvitations, async (tx, { actor, settings }, { params, list }) => {
    const { items, next_cursor } = await list.read(
      ({ from, limit }) => byEmail.listEmailInvitations(tx, actor, params.urn, { after: from, limit }),
      (row) => byEmail.toEmailInvitation(settings, row),
    )
    return { status: 200, body: { invitations: items, next_cursor } }
  }),

  serve(routes.withdrawEmailInvitation, async (tx, call, { params }) => {
    await byEmail.withdrawEmailInvitation(tx, call, params.urn, params.id)
    return none
  }),

  serve(routes.readInvitation, async (tx, _call, { body }) => ({
    status: 200,
    body: await answers.readInvitation(tx, body.token),
  })),

  serve(routes.acceptInvitation, async (tx, call, { body }) => ({
    status: 200,
    body: toOrg(await answers.acceptInvitation(tx, call, body.token)),
  })),

  serve(routes.declineInvitation, async (tx, call, { body }) => {
    await answers.declineInvitation(tx, call, body.token)
    return none
  }),

  serve(routes.listInvitations, async (tx, { actor }, { params, list }) => {
    const { items, next_cursor } = await list.read(
      ({ from, limit }) => invitations.listOfOrg(tx, actor, params.urn, { after: from, limit }),
      invitations.toInvitation,
    )
    return { status: 200, body: { invitations: items, next_cursor } }
  }),

  serve(routes.listOwnInvitations, async (tx, { actor }, { list }) => {
    const { items, next_cursor } = await list.read(
      ({ from, limit }) => invitations.listOwn(tx, actor, { after: from, limit }),
      invitations.toInvitation,
    )
    return { status: 200, body: { invitations: items, next_cursor } }
  }),

  serve(routes.withdrawInvitation, async (tx, call, { params }) => {
    await invitations.withdraw(tx, call, params.urn, params.human_urn)
    return none
  }),

  serve(routes.joinOrg, async (tx, call, { params }) => ({
    status: 200,
    body: toOrg(await invitations.join(tx, call, params.urn)),
  })),
]
