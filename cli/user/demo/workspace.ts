import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { createMarket, type Market } from '../../../sdk/market.ts'
import type { Credentials } from './parties.ts'

const VERSE = 'Forty-two lines of verse, and a heron in each of them.'
const POLL_MS = 100
const PROCESSED_WITHIN_MS = 60_000

/** The results for two files that were attached to a page. */
export interface WorkspaceRecord {
  /** The page's text, which refers to both. */
  page: string
  text: string
  /** The file that a search found, and where. */
  hit: { filename: string; snippet: string }
  /** The preview of the picture: its media type, and its sides in pixels. */
  preview: { media_type: string; width: number; height: number }
}

interface Org {
  client: Market
  baseUrl: string
  token: string
  slug: string
}

/**
 * Attaches a text and a picture to a page of a new org, and reads the service's search result and preview of
 * them.
 */
export async function shareFiles(sandbox: Credentials): Promise<WorkspaceRecord> {
  const { base_url: baseUrl, human_token: token } = sandbox
  const client = createMarket({ baseUrl, token })
  const slug = `demo-${randomUUID().slice(0, 8)}`
  await client.call('createOrg', { body: { slug, display_name: 'Verse works' } })
  const org = { client, baseUrl, token, slug }
  const params = { org: slug }
  const { body: space } = await client.call('createSpace', { params, body: { name: 'Plans' } })
  const { body: page } = await client.call('createPage', { params, body: { space: space.id, title: 'Verse' } })
  const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const verse = await attach(org, page.id, new File([VERSE], 'verse.txt'))
  const river = await attach(org, page.id, new File([new Uint8Array(picture)], 'river.png'))
  await Promise.all([verse, river].map((ref) => untilProcessed(org, ref)))
  const { body: read } = await client.call('readAttachmentText', { params: { ...params, ref: verse }, query: {} })
  const { body: found } = await client.call('searchWorkspace', { params, query: { q: 'herons', type: 'attachment' } })
  const [hit] = found.items
  if (!hit) throw new Error('the search finds nothing')
  const { body: written } = await client.call('getPage', { params: { ...params, ref: page.id } })
  return {
    page: written.rendered_text,
    text: read.text,
    hit: { filename: hit.title, snippet: hit.snippet },
    preview: await readPreview(org, river),
  }
}

async function attach({ baseUrl, token, slug }: Org, page: string, file: File): Promise<string> {
  const form = new FormData()
  form.append('page', page)
  form.append('file', file)
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${baseUrl}/orgs/${slug}/attachments`, { method: 'POST', headers, body: form })
  if (response.status !== 201) throw new Error(`an upload was answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

async function untilProcessed({ client, slug }: Org, ref: string): Promise<void> {
  const deadline = performance.now() + PROCESSED_WITHIN_MS
  for (;;) {
    const { body } = await client.call('getAttachment', { params: { org: slug, ref } })
    if (body.text_state !== 'pending') return
    if (performance.now() > deadline) throw new Error('the worker makes nothing of an attachment')
    await delay(POLL_MS)
  }
}

async function readPreview({ baseUrl, token, slug }: Org, ref: string): Promise<WorkspaceRecord['preview']> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${baseUrl}/orgs/${slug}/attachments/${ref}/preview`, { headers })
  if (!response.ok) throw new Error(`a preview was answered ${response.status}`)
  const { width, height } = await sharp(await response.arrayBuffer()).metadata()
  return { media_type: response.headers.get('content-type') ?? '', width, height }
}
