import { blobsOf } from '../../platform/blobs/open.ts'
import { serveFile } from '../../platform/http/files/serveFile.ts'
import { present } from '../../platform/http/route/schemas.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { findChecks, findDelivery, findLinked } from './find.ts'
import { keepDelivery } from './internal/keep.ts'
import { receiveDelivery } from './internal/receive.ts'
import { makeLink, requireLink } from './link.ts'
import { downloadDelivery, getDelivery, uploadDelivery } from './routes.ts'
import { toDelivery, toDownload } from './wire.ts'

export const deliveryHandlers = [
  serve(uploadDelivery, {
    prepare: receiveDelivery,
    discard: ({ settings }, { id }) => blobsOf(settings).remove(id),
    run: async (tx, call, { query }, blob) => {
      const { order_urn: orderId, output_hash: sha256, filename = null } = query
      return { status: 201, body: toDelivery(await keepDelivery(tx, call, { orderId, sha256, filename }, blob)) }
    },
  }),

  serve(getDelivery, async (tx, { actor, settings }, { params }) => {
    const { delivery, mayDownload } = await findDelivery(tx, actor.agentId, params.urn)
    const download = mayDownload
      ? await makeLink(tx, settings, { kind: 'delivery', id: delivery.id, account: actor.agentId })
      : null
    const { checks, isPending: checks_pending } = await findChecks(tx, delivery.id)
    return { status: 200, body: { ...toDelivery(delivery), download, checks_pending, ...present({ checks }) } }
  }),

  serveFile(downloadDelivery, {
    find: async (tx, { settings }, { params, query }) => {
      const link = { kind: 'delivery', id: params.urn, account: query.account, expires: Number(query.expires) } as const
      await requireLink(tx, settings, link, query.signature)
      return findLinked(tx, { account: link.account, deliveryId: link.id })
    },
    describe: toDownload,
    open: ({ settings }, { id }, range) => blobsOf(settings).read(id, range),
  }),
]
