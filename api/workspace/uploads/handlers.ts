import { newId } from '../../../protocol/encoding/ids.ts'
import type { Settings } from '../../context.ts'
import { otherMethods } from '../../platform/http/listen/methods.ts'
import type { Mounted } from '../../platform/http/listen/mount.ts'
import type { ServedRoute } from '../../platform/http/serve/serve.ts'
import { serveProtocol } from '../../platform/http/serve/serveProtocol.ts'
import { CHECKSUM_ALGORITHMS } from './internal/checksum.ts'
import { EXTENSIONS } from './internal/store.ts'
import { answerTus } from './internal/tus.ts'
import * as routes from './routes.ts'

const VERSION = '1.0.0'
const HEADERS = { 'Tus-Resumable': VERSION, 'Tus-Version': VERSION }

const ofOneUpload = [
  serveProtocol(routes.getUpload, HEADERS, (call) => answerTus(call, call.params.id)),
  serveProtocol(routes.appendToUpload, HEADERS, (call) => answerTus(call, call.params.id)),
  serveProtocol(routes.terminateUpload, HEADERS, (call) => answerTus(call, call.params.id)),
]

export const uploadHandlers = [
  serveProtocol(routes.createUpload, HEADERS, (call) => answerTus(call, newId())),
  ...ofOneUpload,
]

const refuseMethod = otherMethods(ofOneUpload.map(({ route }) => route))

/**
 * A POST from a client, or through a proxy, that knows neither PATCH nor DELETE: its header names the method
 * that it stands for (tus 1.0.0, X-HTTP-Method-Override).
 */
export const overriddenUpload: ServedRoute = {
  route: { ...routes.appendToUpload, method: 'post' },
  respond: (services, context) => {
    const method = context.req.header('X-HTTP-Method-Override')?.toLowerCase().replace('head', 'get')
    const meant = ofOneUpload.find(({ route }) => route.method === method)
    return meant ? meant.respond(services, context) : refuseMethod()
  },
}

/** Returns the handlers of OPTIONS, which tell anybody which parts of tus we support. */
export function uploadOptions({ rules }: Pick<Settings, 'rules'>): Mounted[] {
  const headers = {
    ...HEADERS,
    'Tus-Extension': EXTENSIONS.join(','),
    'Tus-Max-Size': String(rules.maxUploadBytes),
    'Tus-Checksum-Algorithm': CHECKSUM_ALGORITHMS.join(','),
  }
  return [routes.UPLOADS_PATH, `${routes.UPLOADS_PATH}/:id`].map((path) => ({
    method: 'options',
    path,
    isWorkspace: true,
    respond: (context) => context.body(null, 204, headers),
  }))
}
