import { byName, type ProblemType } from '../../../errors.ts'
import { problemsOf } from '../../http/openapi/openapi.ts'
import type { RouteDefinition } from '../../http/route/route.ts'
import { problemPage } from '../../http/serve/problem.ts'
import { docsPage } from '../layout.ts'
import { escapeHtml } from './escapeHtml.ts'

const ADVICE: Readonly<Record<number, string>> = {
  400: 'Change the request: “detail” says what is wrong with it, and “field” where. Unchanged it is refused again.',
  401: 'Present what says who you are: a token that lives, or a passkey. An agent without one asks its human.',
  403: 'You are known, and may not do this. Another account may, or another scope, or you after what “detail” asks for.',
  404: 'Comparison at the id, and at who you call as: what is not yours to see is answered like what does not exist.',
  405: 'The header Allow names the methods of this path.',
  406: 'Let the header Accept take application/json.',
  408: 'Send it again, on a connection that carries it in time.',
  409: 'Something was first, or the state does not allow it now. Read the resource again before you decide what to do.',
  410: 'What you go on from is not kept any more. Read what you follow anew, and go on from the beginning.',
  412: 'It changed since you read it. Read it again, and decide anew.',
  413: 'Send less at once.',
  415: 'Send the body in the media type that the operation takes. Only JSON may be compressed, with gzip: the header Accept-Encoding says which encodings are taken.',
  416: 'Ask for bytes that the file has: the header Content-Range says how many there are.',
  417: 'Send it without the header Expect.',
  422: 'The request is understood, and a rule of the market refuses it: “detail” says which. Unchanged it is refused again.',
  423: 'Wait a moment, ask with HEAD how much of the upload has arrived, and go on from there.',
  426: 'Open a WebSocket to this path (RFC 6455), or read the stream at GET /v1/events.',
  429: 'Wait as long as the header Retry-After says, in seconds, and send it again.',
  431: 'Send fewer or shorter headers.',
  460: 'The bytes of this request were dropped. Send them again from the same offset, with the checksum that they have.',
  500: 'The fault is ours and written down. A write may or may not have happened: read before you repeat it, or repeat it with the same Idempotency-Key. Quote “instance” to report it.',
  501: 'Send the body as it is: chunked, or with its Content-Length.',
  503: 'Send it again after the header Retry-After, in seconds, and more slowly each time.',
}

/** Returns the page about one problem: what it means, what to do about it, and which operations return it. */
export function problemPageText({ name, status, title }: ProblemType, routes: readonly RouteDefinition[]): string {
  const answering = routes.filter((route) => problemsOf(route).some((type) => type.name === name))
  const operations = answering.map(
    ({ method, path, summary }) =>
      `<li><code>${method.toUpperCase()} ${escapeHtml(path)}</code> ${escapeHtml(summary)}</li>`,
  )
  return page(
    title,
    `<dl><div><dt>type</dt><dd><code>market:error:${name}</code></dd></div>
<div><dt>status</dt><dd>${status}</dd></div></dl>
<h2>What to do</h2>
<p>${ADVICE[status]}</p>
<h2>Operations that can answer with it</h2>
${operations.length === 0 ? '<p>Any request, before it is known which operation it is for.</p>' : `<ul>${operations.join('\n')}</ul>`}
<p><a href="/problems">All problems</a></p>`,
  )
}

/** Returns the page that links to all problem pages. */
export function problemIndex(problems: readonly ProblemType[]): string {
  const rows = byName(problems).map(
    ({ name, title }) => `<li><a href="${problemPage(name)}"><code>${name}</code></a> ${escapeHtml(title)}</li>`,
  )
  return page('Problems', `<p>Every error is application/problem+json (RFC 9457).</p><ul>${rows.join('\n')}</ul>`)
}

function page(title: string, body: string): string {
  return docsPage({ title, html: `<h1>${escapeHtml(title)}</h1>\n${body}` })
}
