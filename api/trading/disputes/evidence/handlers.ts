import { blobsOf } from '../../../platform/blobs/open.ts'
import { serveFile } from '../../../platform/http/files/serveFile.ts'
import { serve } from '../../../platform/http/serve/serve.ts'
import { makeLink, requireLink } from '../../deliveries/link.ts'
import { describeBlob } from '../../deliveries/wire.ts'
import { findFile, findLinkedFile } from '../record/evidenceFiles.ts'
import { handInFile } from './internal/handIn.ts'
import { receiveFile } from './internal/receive.ts'
import { downloadEvidence, getEvidence, handInEvidence } from './routes.ts'
import { toEvidenceFile } from './wire.ts'

export const evidenceHandlers = [
  serve(handInEvidence, {
    prepare: receiveFile,
    discard: ({ settings }, { id }) => blobsOf(settings).remove(id),
    run: async (tx, call, { params, query }, blob) => {
      const { sha256, filename = null } = query
      const file = await handInFile(tx, call, { disputeId: params.urn, sha256, filename }, blob)
      return { status: 201, body: toEvidenceFile(file) }
    },
  }),

  serve(getEvidence, async (tx, { actor, settings }, { params }) => {
    const file = await findFile(tx, actor.agentId, params.urn)
    const download = await makeLink(tx, settings, { kind: 'evidence', id: file.id, account: actor.agentId })
    return { status: 200, body: { ...toEvidenceFile(file), download } }
  }),

  serveFile(downloadEvidence, {
    find: async (tx, { settings }, { params, query }) => {
      const { account, expires, signature } = query
      await requireLink(
        tx,
        settings,
        { kind: 'evidence', id: params.urn, account, expires: Number(expires) },
        signature,
      )
      return findLinkedFile(tx, account, params.urn)
    },
    describe: (file) => describeBlob(file, `evidence-${file.id}`),
    open: ({ settings }, { id }, range) => blobsOf(settings).read(id, range),
  }),
]
