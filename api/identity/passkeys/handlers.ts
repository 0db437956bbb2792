import type { Settings } from '../../context.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { sessionSecretIn } from '../authentication/credential.ts'
import { requestOptions } from './challenges.ts'
import { listPasskeyRows, toPasskey } from './internal/list.ts'
import { removePasskey as remove, renamePasskey as rename } from './internal/manage.ts'
import { checkAssertion, signIn as letIn } from './internal/signIn.ts'
import { signUp as makeAccount, offerSignUp as offerAccount } from './internal/signUp.ts'
import { checkRegistration, offerRegistration as offer, registerPasskey as register } from './register.ts'
import {
  listPasskeys,
  offerAssertion,
  offerRegistration,
  offerSignUp,
  registerPasskey,
  removePasskey,
  renamePasskey,
  signIn,
  signUp,
} from './routes.ts'
import { signedIn } from './signedIn.ts'

type Header = (name: string) => string | undefined

export const passkeyHandlers = [
  serve(offerSignUp, async (tx, { settings }, { body }) => ({
    status: 200,
    body: await offerAccount(tx, settings, { displayName: body.display_name, email: body.email }),
  })),

  serve(signUp, {
    prepare: (services, _call, { body }) => checkRegistration(services, { purpose: 'sign_up' }, body.credential),
    run: async (tx, { settings }, { body, raw }, registration) => {
      const options = { name: body.name, formerSecret: formerSecret(settings, raw.header) }
      return { status: 201, ...signedIn(settings, await makeAccount(tx, settings, registration, options)) }
    },
  }),

  serve(offerRegistration, async (tx, call) => ({ status: 200, body: await offer(tx, call) })),

  serve(registerPasskey, {
    prepare: (services, { actor }, { body }) =>
      checkRegistration(services, { purpose: 'register', humanId: actor.humanId }, body.credential),
    run: async (tx, call, { body }, registration) => ({
      status: 201,
      body: toPasskey(await register(tx, call, registration, body.name)),
    }),
  }),

  serve(offerAssertion, async (tx, { settings }) => ({ status: 200, body: await requestOptions(tx, settings) })),

  serve(signIn, {
    prepare: (services, _call, { body }) => checkAssertion(services, body.credential),
    run: async (tx, { settings }, { raw }, assertion) => ({
      status: 200,
      ...signedIn(settings, await letIn(tx, settings, assertion, formerSecret(settings, raw.header))),
    }),
  }),

  serve(listPasskeys, async (tx, { actor }, { list }) => {
    const { items: passkeys, next_cursor } = await list.read(
      (page) => listPasskeyRows(tx, actor.humanId, page),
      toPasskey,
    )
    return { status: 200, body: { passkeys, next_cursor } }
  }),

  serve(renamePasskey, async (tx, { actor }, { params, body }) => ({
    status: 200,
    body: toPasskey(await rename(tx, actor, params.urn, body.name)),
  })),

  serve(removePasskey, async (tx, { actor }, { params }) => {
    await remove(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),
]

function formerSecret({ web }: Pick<Settings, 'web'>, header: Header): string | undefined {
  return sessionSecretIn(web, header('Cookie'))
}
