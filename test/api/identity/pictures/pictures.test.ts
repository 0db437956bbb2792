import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import sharp from 'sharp'
import { personOf } from '../../../../api/identity/person.ts'
import { picturePersonalData } from '../../../../api/identity/pictures/module.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Account, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { erase } from '../../../kit/api/identity/erasure.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

const SECRET_PLACE = 'taken at home'

interface Picture {
  of: string
  id: string
}

describe('a picture', () => {
  let api: Api
  let photo: Buffer
  let ada: Account
  let bob: Account
  let scout: Account
  before(async () => {
    api = await startApi()
    const half = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c00' } })
      .png()
      .toBuffer()
    // On its side, as a phone takes them: upright the red part is at the right.
    photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#00c' } })
      .composite([{ input: half, gravity: 'north' }])
      .jpeg()
      .withExif({ IFD0: { ImageDescription: SECRET_PLACE } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(photo.includes(SECRET_PLACE)).to.equal(true)
    ada = await newHuman(api, 'Ada')
    bob = await newHuman(api, 'Bob')
    scout = await newAgent(api, ada, 'Scout')
  })
  after(() => api.stop())

  const set = (urn: string, by: Account, raw: Buffer | string | ReadableStream<Uint8Array> = photo) =>
    api.send('PUT', `/v1/me/pictures/${urn}`, {
      token: by.token,
      raw,
      headers: { 'content-type': 'application/octet-stream' },
    })
  const remove = (urn: string, by: Account) => api.send('DELETE', `/v1/me/pictures/${urn}`, { token: by.token })
  const seen = async (by: Account, ...of: string[]) => {
    const { body } = await api.send('GET', `/v1/pictures?of=${of.join(',')}`, { token: by.token })
    return (body.pictures as Picture[]).map((picture) => picture.of)
  }
  const download = (id: unknown) => fetch(`${api.baseUrl}/v1/pictures/${id}`)
  const foundOrg = async (by: Account, slug: string) => {
    const reply = await api.send('POST', '/v1/me/orgs', { token: by.token, body: { slug, display_name: 'Works' } })
    return { id: reply.body.urn.body, urn: urnString('org', reply.body.urn.body) }
  }
  const invite = (org: { urn: string }, by: Account, whom: Account) =>
    api.send('POST', `/v1/me/orgs/${org.urn}/invitations`, { token: by.token, body: { human_urn: whom.urn } })

  it('is served as a small square of its pixels alone, upright, to be kept by its viewer', async () => {
    const { status, body } = await set(ada.urn, ada)
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.include({ of: ada.id })
    const reply = await download(body.id)
    expect(reply.status).to.equal(200)
    expect(Object.fromEntries(reply.headers)).to.include({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=86400, no-transform',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const { format, width, height, exif, icc, orientation } = await sharp(bytes).metadata()
    expect({ format, width, height, exif, icc, orientation }).to.deep.equal({
      ...{ format: 'webp', width: 192, height: 192, exif: undefined, icc: undefined, orientation: undefined },
    })
    expect(bytes.includes(SECRET_PLACE)).to.equal(false)
    const at = (left: number) =>
      sharp(bytes).extract({ left, top: 96, width: 1, height: 1 }).removeAlpha().raw().toBuffer()
    const [[redLeft = 0], [redRight = 0]] = [[...(await at(10))], [...(await at(180))]]
    expect(redLeft).to.be.lessThan(60)
    expect(redRight).to.be.greaterThan(140)
    const part = await fetch(`${api.baseUrl}/v1/pictures/${body.id}`, { headers: { range: 'bytes=0-3' } })
    expect(await part.text()).to.equal('RIFF')
  })

  it('gives way to the next, whose address is another, and is removed', async () => {
    const [former, next] = [await set(ada.urn, ada), await set(ada.urn, ada)]
    expect(next.body.id).not.to.equal(former.body.id)
    expect((await download(former.body.id)).status).to.equal(404)
    expect((await download(next.body.id)).status).to.equal(200)
    expect((await remove(ada.urn, ada)).status).to.equal(204)
    expect((await download(next.body.id)).status).to.equal(404)
    expect((await remove(ada.urn, ada)).status).to.equal(204)
    const events = await sql<{ payload: object }>`
      select payload from market.events where event_type = 'picture.changed' and ${ada.id} = any(visible_to)
      order by event_id desc limit 2`.execute(api.db)
    expect(events.rows.map(({ payload }) => payload)).to.deep.equal([
      { subject_urn: ada.urn, has_picture: false },
      { subject_urn: ada.urn, has_picture: true },
    ])
  })

  it('set by several at once is one of theirs', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => set(scout.urn, ada)))
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    const statuses = await Promise.all(replies.map(async ({ body }) => (await download(body.id)).status))
    expect(statuses.sort()).to.deep.equal([200, 404, 404, 404])
  })

  it('is found by those who see the name alone', async () => {
    const org = await foundOrg(ada, 'pictured')
    for (const urn of [ada.urn, scout.urn, org.urn]) expect((await set(urn, ada)).status).to.equal(200)
    const all = [ada.id, scout.id, org.id]
    expect(await seen(ada, ...all)).to.have.members(all)
    expect(await seen(bob, ...all)).to.have.members([scout.id])
    await invite(org, ada, bob)
    expect(await seen(bob, ...all)).to.have.members([scout.id, org.id])
    const until = (time: RawBuilder<Date>) =>
      api.db.updateTable('market.org_invitations').set({ expires_at: time }).where('org_id', '=', org.id).execute()
    await until(sql`market.now()`)
    expect(await seen(bob, ...all)).to.have.members([scout.id])
    await until(sql`market.now() + interval '1 hour'`)
    await api.send('POST', `/v1/me/orgs/${org.urn}/join`, { token: bob.token })
    expect(await seen(bob, ...all)).to.have.members(all)
    expect(await seen(await newAgent(api, bob), ...all)).to.have.members([scout.id])
    // Nobody can be found by an address that does not name a picture.
    for (const id of all) expect((await download(id)).status).to.equal(404)
    const withoutToken = await fetch(`${api.baseUrl}/v1/pictures?of=${scout.id}`)
    expect(withoutToken.status).to.equal(401)
    // A member sees the org's, and does not set it.
    expectProblem(await set(org.urn, bob), 403, 'auth/forbidden')
    expectProblem(await remove(org.urn, bob), 403, 'auth/forbidden')
  })

  it('is set by oneself, for oneself and what is one’s own', async () => {
    const org = await foundOrg(ada, 'of-ada')
    for (const urn of [ada.urn, scout.urn, org.urn]) {
      expectProblem(await set(urn, bob), 404, 'resource/not-found')
      expectProblem(await remove(urn, bob), 404, 'resource/not-found')
    }
    expectProblem(await set(urnString('token', ada.id), ada), 404, 'resource/not-found')
  })

  it('is set once by a key, which is good for no other picture', async () => {
    const send = async (raw: Buffer) =>
      api.send('PUT', `/v1/me/pictures/${scout.urn}`, {
        token: ada.token,
        raw,
        headers: { 'content-type': 'application/octet-stream', 'idempotency-key': 'one-picture' },
      })
    const first = await send(photo)
    expect((await send(photo)).body).to.deep.equal(first.body)
    const other = await sharp(photo).negate().png().toBuffer()
    expectProblem(await send(other), 409, 'idempotency/key-reused', 'Idempotency-Key')
  })

  it('is refused where it is none, too large, broken or made to be costly, and the former stays', async () => {
    const { body: former } = await set(scout.urn, ada)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'
    // A few kB that are more than 50 million pixels.
    const bomb = await sharp({ create: { width: 7_200, height: 7_000, channels: 3, background: '#fff' } })
      .png({ palette: false, adaptiveFiltering: false })
      .toBuffer()
    for (const bytes of ['', svg, bomb, photo.subarray(0, photo.length / 2)]) {
      expectProblem(await set(scout.urn, ada, bytes), 422, 'pictures/unreadable')
    }
    const large = Buffer.alloc(api.settings.rules.maxPictureBytes + 1)
    expectProblem(await set(scout.urn, ada, large), 413, 'request/too-large')
    expectProblem(await set(scout.urn, ada, new Blob([large]).stream()), 413, 'request/too-large')
    expect((await download(former.id)).status).to.equal(200)
  })

  it('is in the export of its person, and erased with them', async () => {
    const carol = await newHuman(api, 'Carol')
    const org = await foundOrg(carol, 'of-carol')
    const agent = await newAgent(api, carol)
    const pictures = await Promise.all([carol.urn, agent.urn, org.urn].map((urn) => set(urn, carol)))
    const [section] = picturePersonalData.sections ?? []
    const exported = section?.rows(personOf(carol.id))
    const { rows } = await sql<{ document: { of: string; content_base64: string } }>`${exported}`.execute(api.db)
    expect(rows.map(({ document }) => document.of)).to.have.members([carol.urn, agent.urn])
    for (const { document } of rows) {
      expect((await sharp(Buffer.from(document.content_base64, 'base64')).metadata()).format).to.equal('webp')
    }
    const erased = await erase(api, carol.token)
    expect(erased.status, JSON.stringify(erased.body)).to.equal(202)
    const left = await Promise.all(pictures.map(async ({ body }) => (await download(body.id)).status))
    expect(left).to.deep.equal([404, 404, 404])
  })
})
