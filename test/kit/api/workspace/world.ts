import { readdir } from 'node:fs/promises'
import { expect } from 'chai'
import { installSandboxClock } from '../../../../api/sandbox/install.ts'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { type Account, firstHuman, newAgent, newHuman } from '../identity/accounts/owners.ts'
import { type Api, type ApiOptions, type Reply, startApi } from '../platform/http/api.ts'

const UNVERSIONED = { 'market-version': undefined }

/** A page as the tests go on with it. */
export interface TestPage {
  id: string
  short_id: string
  space_id: string
}

/** What an attachment shows, as far as tests go on with it. */
export interface TestAttachment {
  id: string
  short_id: string
  filename: string
  state: string
  version: number
  sha256: string
  size_bytes: number
  media_type: string
  entry_id: string | null
  page_id: string
}

/** An org with a member, an agent of the member's, a stranger, and a page to attach files to. */
export interface Workspace {
  api: Api
  slug: string
  ada: Account
  agent: Account
  stranger: Account
  page: TestPage
  call: (method: string, path: string, by?: Account, body?: object) => Promise<Reply>
  newPage: (text?: string) => Promise<TestPage>
  textOf: (page: TestPage) => Promise<string>
  upload: (fields: Readonly<Record<string, string>>, file?: File | string, by?: Account) => Promise<Reply>
  /** Attaches a file to a page without a reference, and returns the attachment. */
  attach: (page: TestPage, content: string | Buffer<ArrayBuffer>, name?: string) => Promise<TestAttachment>
  /** Gives an attachment other content. */
  replace: (of: { id: string }, raw: string | Buffer, headers?: Record<string, string>) => Promise<Reply>
  /** Calls an operation of an account's own. */
  mine: (method: string, path: string, body?: object, by?: Account) => Promise<Reply>
  /** Whether the store has the bytes of so many files. */
  storedFiles: () => Promise<number>
  usedBytes: () => Promise<number>
  stop: () => Promise<void>
}

/** Serves the API with an org in it. */
export async function startWorkspace(options: ApiOptions = {}): Promise<Workspace> {
  const api = await startApi(options)
  await installSandboxClock(api.databaseUrl)
  const ada = firstHuman(api)
  const slug = `works-${newId().slice(-12)}`
  const agent = await newAgent(api, ada)
  const stranger = await newHuman(api, 'Stranger')
  const send = (method: string, path: string, by: Account, body?: object) =>
    api.send(method, path, { token: by.token, headers: UNVERSIONED, redirect: 'manual', ...(body ? { body } : {}) })
  const call: Workspace['call'] = (method, path, by = ada, body) => send(method, `/orgs/${slug}${path}`, by, body)
  await api.send('POST', '/v1/me/orgs', { token: ada.token, body: { slug, display_name: 'Works' } })
  const space = (await call('POST', '/spaces', ada, { name: 'Plans' })).body
  const newPage: Workspace['newPage'] = async (text = '') => {
    const reply = await call('POST', '/pages', ada, { space: space.short_id, title: 'Plan', text })
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
    return reply.body as unknown as TestPage
  }
  const upload: Workspace['upload'] = (fields, file = new File(['Forty-two.'], 'verse.txt'), by = ada) =>
    sendForm(`${api.baseUrl}/orgs/${slug}/attachments`, by.token, [...Object.entries(fields), ['file', file]])
  return {
    ...{ api, slug, ada, agent, stranger, call, newPage, upload },
    page: await newPage(),
    textOf: async (page) => String((await call('GET', `/pages/${page.short_id}`)).body.text),
    attach: async (page, content, name = 'verse.txt') => {
      const reply = await upload({ page: page.id, insert: 'none' }, new File([content], name))
      expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
      return reply.body as unknown as TestAttachment
    },
    replace: ({ id }, raw, headers = {}) =>
      api.send('PUT', `/orgs/${slug}/attachments/${id}/content`, {
        ...{ token: ada.token, raw },
        headers: { 'content-type': 'application/octet-stream', ...UNVERSIONED, ...headers },
      }),
    mine: (method, path, body, by = ada) => send(method, `/me${path}`, by, body),
    storedFiles: async () => {
      const entries = await readdir(api.settings.blobDirectory, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).length
    },
    usedBytes: async () => Number((await call('GET', '/usage')).body.used_bytes),
    stop: api.stop,
  }
}

/** Sends a multipart form, its parts in this order. */
export async function sendForm(url: string, token: string, parts: readonly (readonly [string, string | File])[]) {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value)
  }
  const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form })
  return { status: response.status, headers: response.headers, body: await response.json() } as Reply
}

/** Asserts a problem of the workspace: its status, its type and its code. */
export function expectCode(reply: Reply, status: number, type: string, code: string): void {
  const { body } = reply
  expect({ status: reply.status, type: body.type, code: body.code }, JSON.stringify(body)).to.deep.equal({
    status,
    type: `market:error:${type}`,
    code,
  })
  expect(reply.headers.get('content-type')).to.equal('application/problem+json')
}
