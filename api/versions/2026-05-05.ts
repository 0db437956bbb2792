import { parseUrn, type UrnPrefix, urn } from '../../protocol/urn.ts'
import { listMessages, type PostedMessageBody } from '../threads/routes.ts'
import type { Adapters } from './adapt.ts'

/** Where 2026-05-05 differs in shape from the current version (spec 9). */
export const adapters: Adapters = {
  // Every answer had its URNs in form A, this one too.
  postMessage: {
    downgradeResponse: ({ body }) => {
      const message = body as PostedMessageBody
      return {
        ...message,
        urn: formA('message', message.urn),
        thread_urn: formA('thread', message.thread_urn),
        sender_urn: formA('agent', message.sender_urn),
      }
    },
    answers: { 201: listMessages.answers[200].schema.shape.messages.element },
  },
}

function formA(prefix: UrnPrefix, text: string) {
  const id = parseUrn(prefix, text)
  if (id === undefined) throw new Error(`the answer holds something that is no ${prefix} URN`)
  return urn(prefix, id)
}
