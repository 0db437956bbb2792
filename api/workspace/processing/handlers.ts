import { serve } from '../../platform/http/serve.ts'
import { findAttachment } from '../attachments/find.ts'
import { requireMember } from '../membership.ts'
import { readText } from './readText.ts'
import { readAttachmentText } from './routes.ts'

export const processingHandlers = [
  serve(readAttachmentText, async (tx, { actor }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: await readText(tx, await findAttachment(tx, member, params.ref), query) }
  }),
]
