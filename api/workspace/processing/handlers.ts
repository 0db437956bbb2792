import { serve } from '../../platform/http/serve/serve.ts'
import { findAttachment } from '../attachments/find.ts'
import { requireReader } from '../readers.ts'
import { readText } from './readText.ts'
import { readAttachmentText } from './routes.ts'

export const processingHandlers = [
  serve(readAttachmentText, async (tx, { actor }, { params, query }) => {
    const reader = await requireReader(tx, actor, params.org, { attachment: params.ref })
    return { status: 200, body: await readText(tx, await findAttachment(tx, reader, params.ref), query) }
  }),
]
