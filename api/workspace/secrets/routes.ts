import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { nameText, pageQuery, timestampText } from '../../platform/http/route/schemas.ts'
import { confirmationProblems } from '../confirmations/problems.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, identity, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'
import { secretProblems } from './problems.ts'

const NAME_CHARACTERS = 100
const VALUE_CHARACTERS = 16_384

const secretParams = z.object({ ref: refSchema('secret') })
const value = z
  .string()
  .min(1)
  .max(VALUE_CHARACTERS)
  .refine((given) => given.isWellFormed(), 'must be well-formed Unicode')

const item = z.object({
  ...identity,
  space_id: z.uuid().nullable().openapi({ description: 'Its space; null for one of the whole org.' }),
  name: z.string(),
  version: z.int().openapi({ description: 'How often it was given a value.' }),
  created_by: authorText,
  created_at: timestampText,
  updated_by: authorText,
  updated_at: timestampText,
})
const secret = item.openapi('Secret')
const revealed = item.extend({ value: z.string() }).openapi('RevealedSecret')
const policy = z
  .object({
    agents_ask: z
      .boolean()
      .openapi({ description: 'A secret is revealed to an agent once its human has confirmed it.' }),
  })
  .openapi('SecretPolicy')

export const createSecret = orgRoute({
  operationId: 'createSecret',
  method: 'post',
  path: '/secrets',
  group: { name: 'secrets', about: 'Workspace: values that members and their agents need, and nobody else may know.' },
  summary: 'Keep a value under a name, for a space or for the whole org',
  access: writesWorkspace,
  body: z.object({ space: refSchema('space').optional(), name: nameText(NAME_CHARACTERS), value }),
  answers: { 201: { description: 'The secret, without its value.', schema: secret } },
  problems: [secretProblems.secretExists],
})

export const listSecrets = orgRoute({
  operationId: 'listSecrets',
  method: 'get',
  path: '/secrets',
  summary: 'List the secrets that you see, newest first, without their values',
  access: readsWorkspace,
  query: z.object({ ...pageQuery(200, 50), space: refSchema('space').optional() }),
  answers: { 200: { description: 'A page of secrets.', schema: pageOf(secret) } },
})

export const getSecret = orgRoute({
  operationId: 'getSecret',
  method: 'get',
  path: '/secrets/{ref}',
  summary: 'Read what is known of a secret, without its value',
  access: readsWorkspace,
  params: secretParams,
  answers: { 200: { description: 'The secret, without its value.', schema: secret } },
})

export const replaceSecretValue = orgRoute({
  operationId: 'replaceSecretValue',
  method: 'put',
  path: '/secrets/{ref}/value',
  summary: 'Give a secret another value; the one before is gone',
  access: writesWorkspace,
  params: secretParams,
  body: z.object({ value }),
  answers: { 200: { description: 'The secret, without its value.', schema: secret } },
})

export const deleteSecret = orgRoute({
  operationId: 'deleteSecret',
  method: 'delete',
  path: '/secrets/{ref}',
  summary: 'Delete a secret with its value',
  access: writesWorkspace,
  params: secretParams,
  answers: { 204: { description: 'It is gone.' } },
})

export const revealSecret = orgRoute({
  operationId: 'revealSecret',
  method: 'post',
  path: '/secrets/{ref}/reveal',
  summary: 'Be told the value of a secret; the org sees that you were',
  access: writesWorkspace,
  params: secretParams,
  body: z.object({
    confirmation: z
      .uuid()
      .optional()
      .openapi({ description: 'A question about this secret that your human has confirmed, where agents must ask.' }),
  }),
  answers: { 200: { description: 'The secret with its value.', schema: revealed, isSecret: true } },
  problems: [groundProblems.reAuthRequired, confirmationProblems.confirmationRequired],
})

export const getSecretPolicy = orgRoute({
  operationId: 'getSecretPolicy',
  method: 'get',
  path: '/secret-policy',
  group: { name: 'secret-policy', about: 'Workspace: whether agents ask before a secret is revealed to them.' },
  summary: 'Read whether agents must ask before a secret is revealed to them',
  access: readsWorkspace,
  answers: { 200: { description: 'The policy.', schema: policy } },
})

export const setSecretPolicy = orgRoute({
  operationId: 'setSecretPolicy',
  method: 'put',
  path: '/secret-policy',
  summary: 'Say whether agents must ask, as an owner or admin of the org',
  access: { scope: 'manage', as: 'human', reAuth: true },
  body: z.object({ agents_ask: z.boolean() }),
  answers: { 200: { description: 'The policy.', schema: policy } },
})
