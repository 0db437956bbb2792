import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  nameText,
  pageQuery,
  timestampText,
  urnObject,
  urnParam,
  urnSchema,
} from '../../platform/http/route/schemas.ts'
import { orgProblems } from './problems.ts'

const NAME_CHARACTERS = 100
const EMAIL_CHARACTERS = 254

const read = { scope: 'read', as: 'human' } as const
const manage = { scope: 'manage', as: 'human' } as const
const role = z.enum(['owner', 'admin', 'member']).openapi({
  description: 'Owners do everything; admins invite and remove members; members work here.',
})
const params = z.object({ urn: urnParam('org') })
const memberParams = z.object({ urn: urnParam('org'), human_urn: urnParam('human') })

const org = z
  .object({
    urn: urnObject('org'),
    slug: z.string().openapi({ description: 'What the workspace calls it.' }),
    display_name: z.string(),
    role: role.openapi({ description: 'Yours.' }),
    created_at: timestampText,
  })
  .openapi('Org')

const member = z
  .object({ human_urn: urnObject('human'), display_name: z.string(), role, joined_at: timestampText })
  .openapi('OrgMember')

const invitation = z
  .object({
    org_urn: urnObject('org'),
    slug: z.string(),
    display_name: z.string().openapi({ description: 'Of the org.' }),
    human_urn: urnObject('human').openapi({ description: 'Who is invited, and alone may join by it.' }),
    invited_by: urnObject('human'),
    role,
    expires_at: timestampText,
  })
  .openapi('OrgInvitation')

const invitationPage = {
  200: {
    description: 'A page of invitations.',
    schema: z.object({ invitations: z.array(invitation), next_cursor: z.string().nullable() }),
  },
}

export const createOrg = defineRoute({
  operationId: 'createOrg',
  method: 'post',
  path: '/v1/me/orgs',
  group: { name: 'orgs', about: 'People who work together.' },
  summary: 'Found an org, and own it',
  access: manage,
  body: z.object({
    slug: z
      .string()
      .min(2)
      .max(40)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase letters and digits, with single hyphens between them'),
    display_name: nameText(NAME_CHARACTERS),
  }),
  answers: { 201: { description: 'The org.', schema: org, location: { under: '/v1/me/orgs', member: 'urn' } } },
  problems: [orgProblems.slugTaken, orgProblems.tooMany],
})

export const listOrgs = defineRoute({
  operationId: 'listOrgs',
  method: 'get',
  path: '/v1/me/orgs',
  summary: 'List the orgs you are in, the newest first; as an agent, those of your owner that let you in',
  access: { scope: 'read', as: 'any' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of orgs.',
      schema: z.object({ orgs: z.array(org), next_cursor: z.string().nullable() }),
    },
  },
})

export const getOrg = defineRoute({
  operationId: 'getOrg',
  method: 'get',
  path: '/v1/me/orgs/{urn}',
  summary: 'Read an org you are in',
  access: read,
  params,
  answers: { 200: { description: 'The org.', schema: org } },
})

export const renameOrg = defineRoute({
  operationId: 'renameOrg',
  method: 'patch',
  path: '/v1/me/orgs/{urn}',
  summary: 'Give an org of yours another name; its slug stays',
  access: manage,
  params,
  body: z.object({ display_name: nameText(NAME_CHARACTERS) }),
  answers: { 200: { description: 'The org.', schema: org } },
})

export const deleteOrg = defineRoute({
  operationId: 'deleteOrg',
  method: 'delete',
  path: '/v1/me/orgs/{urn}',
  summary: 'Delete an org that nobody but you is in',
  access: manage,
  params,
  answers: { 204: { description: 'It is gone, and its slug is free.' } },
  problems: [orgProblems.notEmpty],
})

export const listMembers = defineRoute({
  operationId: 'listOrgMembers',
  method: 'get',
  path: '/v1/me/orgs/{urn}/members',
  summary: 'List who is in an org of yours',
  access: read,
  params,
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of members.',
      schema: z.object({ members: z.array(member), next_cursor: z.string().nullable() }),
    },
  },
})

export const changeRole = defineRoute({
  operationId: 'changeOrgRole',
  method: 'patch',
  path: '/v1/me/orgs/{urn}/members/{human_urn}',
  summary: 'Give a member of an org you own another role',
  access: manage,
  params: memberParams,
  body: z.object({ role }),
  answers: { 200: { description: 'The member.', schema: member } },
  problems: [orgProblems.lastOwner, orgProblems.tooMany],
})

export const removeMember = defineRoute({
  operationId: 'removeOrgMember',
  method: 'delete',
  path: '/v1/me/orgs/{urn}/members/{human_urn}',
  summary: 'Remove a member, or leave: name yourself',
  access: manage,
  params: memberParams,
  answers: { 204: { description: 'They are in it no more, and nor are invitations of theirs.' } },
  problems: [orgProblems.lastOwner],
})

export const inviteMember = defineRoute({
  operationId: 'inviteOrgMember',
  method: 'post',
  path: '/v1/me/orgs/{urn}/invitations',
  summary: 'Invite a human; they are in when they say so. It takes the place of an earlier invitation',
  access: manage,
  params,
  body: z.object({ human_urn: urnSchema('human'), role: role.default('member') }),
  answers: { 201: { description: 'The invitation.', schema: invitation } },
  problems: [orgProblems.alreadyMember],
})

export const listInvitations = defineRoute({
  operationId: 'listOrgInvitations',
  method: 'get',
  path: '/v1/me/orgs/{urn}/invitations',
  summary: 'List the open invitations of an org that you own or administer',
  access: read,
  params,
  query: z.object(pageQuery()),
  answers: invitationPage,
})

export const listOwnInvitations = defineRoute({
  operationId: 'listMyInvitations',
  method: 'get',
  path: '/v1/me/invitations',
  summary: 'List the orgs that have invited you',
  access: read,
  query: z.object(pageQuery()),
  answers: invitationPage,
})

export const withdrawInvitation = defineRoute({
  operationId: 'withdrawOrgInvitation',
  method: 'delete',
  path: '/v1/me/orgs/{urn}/invitations/{human_urn}',
  summary: 'Take an invitation back, or decline yours: name yourself',
  access: manage,
  params: memberParams,
  answers: { 204: { description: 'It is good no more.' } },
})

const emailInvitation = z
  .object({
    id: z.uuid(),
    org_urn: urnObject('org'),
    email: z.string().openapi({ description: 'Erased once the invitation ends.' }),
    role,
    invited_by: urnObject('human'),
    is_sending: z.boolean().openapi({ description: 'Whether the mail is still to be sent.' }),
    created_at: timestampText,
    expires_at: timestampText,
  })
  .openapi('EmailInvitation')

export const inviteByEmail = defineRoute({
  operationId: 'inviteByEmail',
  method: 'post',
  path: '/v1/me/orgs/{urn}/email_invitations',
  summary: 'Invite whoever has an e-mail address, by one mail with a link that is good once',
  access: manage,
  params,
  body: z.object({ email: z.email().max(EMAIL_CHARACTERS), role: role.default('member') }),
  answers: {
    201: {
      description: 'The invitation, and its link where the market sends no mail: pass it on. It is shown this once.',
      isSecret: true,
      schema: z.object({ invitation: emailInvitation, link: z.url().optional() }).openapi('NewEmailInvitation'),
    },
  },
  problems: [orgProblems.alreadyInvited],
})

export const listEmailInvitations = defineRoute({
  operationId: 'listEmailInvitations',
  method: 'get',
  path: '/v1/me/orgs/{urn}/email_invitations',
  summary: 'List the open invitations by mail of an org that you own or administer',
  access: read,
  params,
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of invitations.',
      schema: z.object({ invitations: z.array(emailInvitation), next_cursor: z.string().nullable() }),
    },
  },
})

export const withdrawEmailInvitation = defineRoute({
  operationId: 'withdrawEmailInvitation',
  method: 'delete',
  path: '/v1/me/orgs/{urn}/email_invitations/{id}',
  summary: 'Take an invitation by mail back, and erase its address',
  access: manage,
  params: z.object({
    urn: urnParam('org'),
    id: z.uuid().openapi({ description: 'Id of the invitation.', example: '01890000-0000-7000-8000-000000000000' }),
  }),
  answers: { 204: { description: 'Its link is good no more.' } },
})

// In the body, and not in the address, which logs keep.
const byToken = z.object({
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the token of an invitation as it was sent')
    .openapi({ description: 'What comes after # in its link.', example: 'A'.repeat(43) }),
})

export const readInvitation = defineRoute({
  operationId: 'readInvitation',
  method: 'post',
  path: '/v1/me/invitations/read',
  summary: 'Read the invitation that a link is of',
  access: read,
  body: byToken,
  answers: {
    200: {
      description: 'What it invites to.',
      schema: z
        .object({
          org_urn: urnObject('org'),
          slug: z.string(),
          display_name: z.string().openapi({ description: 'Of the org.' }),
          invited_by: z.string().openapi({ description: 'The name of who invites.' }),
          role,
          expires_at: timestampText,
        })
        .openapi('ReceivedInvitation'),
    },
  },
  problems: [groundProblems.notFound],
})

export const acceptInvitation = defineRoute({
  operationId: 'acceptInvitation',
  method: 'post',
  path: '/v1/me/invitations/accept',
  summary: 'Join the org that a link invites to, which uses the link up; the inviter is told',
  access: manage,
  body: byToken,
  answers: { 200: { description: 'The org.', schema: org } },
  problems: [groundProblems.notFound, orgProblems.alreadyMember, orgProblems.tooMany],
})

export const declineInvitation = defineRoute({
  operationId: 'declineInvitation',
  method: 'post',
  path: '/v1/me/invitations/decline',
  summary: 'Decline what a link invites to, which uses the link up',
  access: manage,
  body: byToken,
  answers: { 204: { description: 'The link is good no more, and the address is erased.' } },
  problems: [groundProblems.notFound],
})

export const joinOrg = defineRoute({
  operationId: 'joinOrg',
  method: 'post',
  path: '/v1/me/orgs/{urn}/join',
  summary: 'Join an org that has invited you',
  access: manage,
  params,
  answers: { 200: { description: 'The org.', schema: org } },
  problems: [orgProblems.tooMany],
})
