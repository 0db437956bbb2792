import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { Deadline } from '../../../../api/trading/search/deadline.ts'
import { findMatches } from '../../../../api/trading/search/internal/matches.ts'
import type { Wanted } from '../../../../api/trading/search/internal/wanted.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { openPlanned } from '../../../kit/api/platform/db/plans.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import { newAsk, newTrader, type Trader } from '../../../kit/api/trading.ts'

describe('the search', () => {
  let api: Api
  let seller: Trader
  let reader: Trader
  before(async () => {
    api = await startApi()
    seller = await newTrader({ api }, { wallet: 'unbound' })
    reader = await newTrader({ api }, { wallet: 'unbound', scopes: ['read'] })
  })
  after(() => api.stop())

  const offer = async (title: string, description = 'Work.', by = seller) =>
    (await newAsk(by, { title, description })).body
  const search = async (query: Record<string, string>) => {
    const { body } = await reader.client.call('searchAsks', { query: query as never })
    const ids = body.asks.map(({ urn }) => urn.body)
    return { ids, next: body.next_cursor, corrected: body.corrected_query }
  }
  const found = async (q: string) => (await search({ q })).ids
  const revise = (id: string, body: Record<string, unknown>) =>
    seller.client.call('reviseAsk', { params: { urn: urnString('ask', id) }, body })
  const setReputation = (trader: Trader, permille: number) =>
    sql`update market.agents set reputation_permille = ${permille} where id = ${trader.agentId}`.execute(api.db)
  /** All pages of a search; something may happen before each further one. */
  const readAll = async (
    q: string,
    limit: number,
    between: () => Promise<unknown> = async () => {},
    how: Record<string, string> = {},
  ) => {
    const first = await search({ q, limit: String(limit), ...how })
    const seen = [...first.ids]
    for (let cursor = first.next; cursor !== null; ) {
      await between()
      const page = await search({ q, limit: String(limit), cursor, ...how })
      seen.push(...page.ids)
      cursor = page.next
    }
    return seen
  }

  it('finds asks by the words of their title and description, the title counting more [spec 2.5.1:2 4:14]', async () => {
    const inText = await offer('Proofreading', 'Manuscripts of poetry, with a glossary.')
    const inTitle = await offer('Glossary of poetry', 'Manuscripts.')
    await offer('Manuscripts')
    expect(await found('poetry')).to.deep.equal([inTitle, inText])
    expect(await found('GLOSSARIES manuscript')).to.deep.equal([inTitle, inText])
    expect(await found('glossary proofread')).to.deep.equal([inText])
  })

  it('answers with whole asks and the names and records of their sellers [spec 2.5.1:1]', async () => {
    const id = await offer('Zither lessons')
    const { body } = await api.send('GET', '/v1/search?q=zither', { token: reader.token })
    const ask = await api.send('GET', `/v1/asks/${urnString('ask', id)}`, { token: reader.token })
    const { display_name } = (
      await api.send('GET', `/v1/agents/${urnString('agent', seller.agentId)}`, { token: reader.token })
    ).body
    const unknown = { unweighted_count: 0, composite_score: 0, weighted_rating_avg: 0, weighted_dispute_loss_rate: 0 }
    const listed = { ...ask.body, seller: { display_name, ...unknown } }
    expect(body).to.deep.equal({ asks: [listed], next_cursor: null, corrected_query: null })
  })

  it('finds words of languages that are written without spaces, wherever they stand', async () => {
    const chinese = await offer('翻译服务', '我们在北京大学提供iPhone手机说明书的翻译。')
    const japanese = await offer('翻訳サービス', '東京都で日本語の本を翻訳します。')
    const korean = await offer('번역 서비스', '한국어를 영어로 번역합니다.')
    for (const word of ['北京', '北京大学', '大学', '手机', 'iphone', '说明书 北京', '"北京大学"', '书'])
      expect(await found(word), word).to.deep.equal([chinese])
    for (const word of ['京都', '日本語', 'サービス', 'ビス', '本'])
      expect(await found(word), word).to.deep.equal([japanese])
    for (const word of ['한국어', '번역', '영어']) expect(await found(word), word).to.deep.equal([korean])
    for (const word of ['京北', '"大学北京"', '北京 東京']) expect(await found(word), word).to.deep.equal([])
    expect(await found('北京 or 日本')).to.have.members([chinese, japanese])
    expect(await found('翻译 -北京大学')).to.deep.equal([])
    expect(await found('翻译 -京大学生')).to.deep.equal([chinese])
  })

  it('takes phrases, negations and alternatives', async () => {
    const [redCar, carRed, blueCar] = [await offer('red wagon'), await offer('wagon red'), await offer('blue wagon')]
    expect(await found('"red wagon"')).to.deep.equal([redCar])
    expect(await found('wagon -red')).to.deep.equal([blueCar])
    expect(await found('wagon -"red wagon"')).to.have.members([carRed, blueCar])
    expect(await found('red wagon or blue wagon')).to.have.members([redCar, carRed, blueCar])
    expect(await found('wagon --red')).to.have.members([redCar, carRed])
    expect(await found('wagon ---red')).to.deep.equal([blueCar])
    expect(await found('-wagon')).to.not.include.members([redCar])
    expect(await found('the')).to.deep.equal([])
  })

  it('lists everything without words, the newest first', async () => {
    const [older, newer] = [await offer('Older'), await offer('Newer')]
    expect((await search({ limit: '2' })).ids).to.deep.equal([newer, older])
    expect((await search({ q: ' ', limit: '1' })).ids).to.deep.equal([newer])
  })

  it('answers every text with a list of asks', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 60 }),
          fc.array(fc.constantFrom('"', '-', 'or', '<->', '<2>', '!', '&', '|', ':*', "'", '\\', '(', 'wagon', ' ')),
        ),
        async (typed) => {
          const q = Array.isArray(typed) ? typed.join('') : typed.replaceAll('\0', '')
          fc.pre(q.length <= 200 && q.isWellFormed())
          const { status, body } = await api.send('GET', `/v1/search?q=${encodeURIComponent(q)}`, {
            token: reader.token,
          })
          expect({ status, asks: body.asks }).to.deep.include({ status: 200 }).and.property('asks').to.be.an('array')
        },
      ),
      { numRuns: 100 },
    ))

  it('answers texts made to break it, and refuses what is no text or too long', async () => {
    await offer('Ocarina lessons', 'Ocarina.')
    const filled = (piece: string) => piece.repeat(Math.floor(200 / piece.length))
    for (const q of [
      filled('or '),
      filled('a or '),
      filled('ocarina or '),
      filled('"'),
      filled('"ocarina '),
      filled('-'),
      filled('-ocarina '),
      filled('- or '),
      filled('-(&!| '),
      filled('--"ocarina" or -'),
      filled('the of and '),
      filled('ocarina-'),
      filled('a/b.c@d:'),
      filled('😀'),
      filled('👩‍👩‍👧‍👦'),
      filled('אוקרינה '),
      filled('\u202Eocarina\u202C '),
      filled("\\'|&!():*<->"),
      filled('%_\\'),
      'z'.repeat(200),
    ]) {
      const { status, body } = await api.send('GET', `/v1/search?q=${encodeURIComponent(q)}`, { token: reader.token })
      expect({ status, q }).to.deep.equal({ status: 200, q })
      expect(body.asks, q).to.be.an('array')
    }
    for (const q of ['ocarina%00', encodeURIComponent('ocarina '.repeat(1_000))]) {
      const reply = await api.send('GET', `/v1/search?q=${q}`, { token: reader.token })
      expect(reply.status, q.slice(0, 20)).to.equal(400)
    }
  })

  it('orders matches of equal text score by reputation, and no others [spec 2.5.1:3]', async () => {
    const [famous, known] = [
      await newTrader({ api }, { wallet: 'unbound' }),
      await newTrader({ api }, { wallet: 'unbound' }),
    ]
    await setReputation(famous, 999)
    await setReputation(known, 500)
    const best = await offer('Lute and theorbo', 'Lute. Theorbo.')
    const byFamous = await offer('Theorbo', 'Strings.', famous)
    const byKnown = await offer('Theorbo', 'Strings.', known)
    const byUnknown = await offer('Theorbo', 'Strings.')
    const worse = await offer('Strings', 'Theorbo.', famous)
    expect(await found('theorbo')).to.deep.equal([best, byFamous, byKnown, byUnknown, worse])
  })

  it('shows neither asks that are not active nor those of deactivated sellers [spec 4:14]', async () => {
    const gone = await newTrader({ api }, { wallet: 'unbound' })
    const [kept, withdrawn] = [await offer('Bagpipe'), await offer('Bagpipe')]
    await offer('Bagpipe', 'Work.', gone)
    await revise(withdrawn, { active: false })
    await sql`update market.agents set deactivated_at = market.now() where id = ${gone.agentId}`.execute(api.db)
    expect(await found('bagpipe')).to.deep.equal([kept])
    expect((await search({ limit: '2' })).ids)
      .to.include(kept)
      .and.not.include(withdrawn)
    await revise(withdrawn, { active: true, title: 'Bagpipe and drone' })
    expect(await found('bagpipe drone')).to.deep.equal([withdrawn])
  })

  it('corrects what is misspelt where nothing matches, and says so', async () => {
    const id = await offer('Calligraphy in Python', 'Ornamental letters.')
    for (const [typed, corrected] of [
      ['caligraphy', 'calligraphy'],
      ['clalgiraphy', 'calligraphy'],
      ['pyhton', 'python'],
      ['Letrers of ornamentl', 'letters of ornamental'],
      ['"in pythno"', '"in python"'],
      ['the callligraphy', 'the calligraphy'],
    ] as const) {
      expect(await search({ q: typed }), typed).to.deep.equal({ ids: [id], next: null, corrected })
    }
    expect(await search({ q: 'xylograph' })).to.deep.equal({ ids: [], next: null, corrected: null })
    const literal = await offer('Caligraphy', 'As it is written here.')
    expect(await search({ q: 'caligraphy' })).to.deep.equal({ ids: [literal], next: null, corrected: null })
  })

  it('takes the last word for the start of one where nothing matches, and says so', async () => {
    await offer('Hurdygurdyist')
    const plain = await offer('Hurdygurdy')
    expect(await search({ q: 'hurdyg' })).to.deep.equal({ ids: [plain], next: null, corrected: 'hurdygurdy' })
    expect(await search({ q: 'hurdyg lessons' })).to.deep.equal({ ids: [], next: null, corrected: null })
    expect(await search({ q: 'hu%' })).to.deep.include({ ids: [], corrected: null })
  })

  it('corrects to no word that is gone with its last ask', async () => {
    const [first, second] = [await offer('Scrimshaw'), await offer('Scrimshaw')]
    await revise(first, { title: 'Carving' })
    expect((await search({ q: 'scrimshow' })).corrected).to.equal('scrimshaw')
    await revise(second, { active: false })
    expect((await search({ q: 'scrimshow' })).corrected).to.equal(null)
    const { rows } = await sql`select from market.search_words where word = 'scrimshaw'`.execute(api.db)
    expect(rows).to.have.length(0)
  })

  it('keeps its correction on the pages that follow', async () => {
    const ids = [await offer('Etymology one'), await offer('Etymology two')]
    const first = await search({ q: 'etimology', limit: '1' })
    await offer('Etimology', 'Somebody writes it like that from now on.')
    const second = await search({ q: 'etimology', limit: '1', cursor: first.next ?? '' })
    expect(second.corrected).to.equal('etymology')
    expect([...first.ids, ...second.ids]).to.have.members(ids)
  })

  it('skips and doubles nothing that stands through all pages, whatever comes in between [spec 4:14]', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('title', 'text', 'both'), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.constantFrom('title', 'both', 'withdraw'), { maxLength: 6 }),
        async (places, limit, changes) => {
          const word = wordOf(++round)
          const insert = (place: string) => offer(...textsWith(word, place))
          const standing: string[] = []
          for (const place of places) standing.push(await insert(place))
          const passing = await insert('title')
          const pending = [...changes]
          const seen = await readAll(word, limit, async () => {
            const change = pending.shift()
            if (change === 'withdraw') await revise(passing, { active: false })
            else if (change) await insert(change)
          })
          expect(new Set(seen).size).to.equal(seen.length)
          expect(seen.filter((id) => standing.includes(id))).to.have.members(standing)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('ends with the newest 500 candidates', async () => {
    const ids = Array.from({ length: 1_100 }, () => uuidv7())
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select id, ${seller.agentId}, 'Marginalia', case place % 3 when 0 then 'marginalia' else '' end, 1, 1, 1
      from unnest(${ids}::uuid[]) with ordinality listed (id, place)`.execute(api.db)
    const notes = await offer('Marginal notes', 'Not one of them.')
    const newest = ids.slice(-500)
    for (const [q, limit, expected] of [
      ['marginalia', 100, newest],
      ['marginalia -notes', 90, newest],
      ['', 97, [...newest.slice(1), notes]],
    ] as const) {
      expect((await readAll(q, limit)).toSorted(), q).to.deep.equal(expected.toSorted())
    }
  })

  it('ranks what is titled just as it was typed, however many newer listings match', async () => {
    const exact = await offer('Gamelan of Java', 'Tuning.')
    const twin = await offer('GAMELAN OF JAVA', 'Tuning.')
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select gen_random_uuid(), ${seller.agentId}, 'Other', 'Java, some text between, gamelan; and of the gamelan of Java', 1, 1, 1
      from generate_series(1, 600)`.execute(api.db)
    for (const q of ['gamelan of java', ' "Gamelan of Java" '])
      expect((await search({ q, limit: '2' })).ids, q).to.deep.equal([twin, exact])
    const seen = await readAll('Gamelan of Java', 100)
    expect(seen).to.have.length(500)
    expect(new Set(seen).size).to.equal(500)
  })

  it('looks for a phrase, and for what to leave out, among the newest 1,000 listings that have the words', async () => {
    const old = await offer('Palaeography', 'Dipped quills, ink.')
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select gen_random_uuid(), ${seller.agentId}, 'Quills', 'Never dipped; for palaeography.', 1, 1, 1
      from generate_series(1, 999)`.execute(api.db)
    for (const q of ['"dipped quills"', 'palaeography -never']) expect(await found(q), q).to.deep.equal([old])
    await offer('Quills', 'Never dipped; for palaeography.')
    for (const q of ['"dipped quills"', 'palaeography -never']) expect(await found(q), q).to.deep.equal([])
    expect(await found('dipped ink')).to.deep.equal([old])
  })

  const offerAt = async (price: string, title: string, by = seller) => (await newAsk(by, { title, price })).body

  it('finds asks within prices and of a seller, in each order', async () => {
    const other = await newTrader({ api }, { wallet: 'unbound' })
    const dear = await offerAt('30.000000', 'Intarsia')
    const cheap = await offerAt('10.000000', 'Intarsia')
    const theirs = await offerAt('20.000000', 'Intarsia', other)
    const narrowed = (query: Record<string, string>) =>
      Promise.all(
        ['relevance', 'newest', 'price'].map(async (sort) => (await search({ q: 'intarsia', sort, ...query })).ids),
      )
    const everywhere = (expected: string[]) => [expected, expected, expected]
    expect(await narrowed({})).to.deep.equal([
      [theirs, cheap, dear],
      [theirs, cheap, dear],
      [cheap, theirs, dear],
    ])
    expect(await narrowed({ min_price: '20.000001' })).to.deep.equal(everywhere([dear]))
    expect(await narrowed({ max_price: '19.999999' })).to.deep.equal(everywhere([cheap]))
    expect(await narrowed({ min_price: '20.000000', max_price: '20.000000' })).to.deep.equal(everywhere([theirs]))
    expect(await narrowed({ seller_urn: urnString('agent', other.agentId) })).to.deep.equal(everywhere([theirs]))
    expect(await narrowed({ seller_urn: urnString('agent', other.agentId), max_price: '1.000000' })).to.deep.equal(
      everywhere([]),
    )
    expect(await narrowed({ q: 'intarzia' })).to.deep.equal(await narrowed({}))
    await sql`update market.agents set deactivated_at = market.now() where id = ${other.agentId}`.execute(api.db)
    await revise(dear, { active: false })
    expect(await narrowed({})).to.deep.equal(everywhere([cheap]))
  })

  it('finds asks by the input that their orders carry, in each order', async () => {
    const title = 'Marquetry'
    const none = await offer(title)
    const input_schema = { properties: { wood: { enum: ['oak', 'ash'] } }, required: ['wood'] }
    const must = (await newAsk(seller, { title, input: 'required', input_schema })).body
    const may = (await newAsk(seller, { title, input: 'optional' })).body
    for (const sort of ['relevance', 'newest', 'price']) {
      const narrowed = async (input: string) => (await search({ q: title, sort, input })).ids
      expect([await narrowed('none'), await narrowed('required'), await narrowed('optional')]).to.deep.equal([
        [none],
        [must],
        [may],
      ])
    }
    const { asks } = (await reader.client.call('searchAsks', { query: { q: title, input: 'required' } })).body
    expect(asks[0]).to.deep.include({ input: 'required', input_schema, needs: ['wood (one of 2)'] })
  })

  it('sorts all that match, page by page, whatever comes in between', async () => {
    const ids = Array.from({ length: 1_100 }, () => uuidv7())
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select id, ${seller.agentId}, 'Scagliola', '', 1 + place / 100, 1, 1
      from unnest(${ids}::uuid[]) with ordinality listed (id, place)`.execute(api.db)
    const byPrice = ids
      .map((id, index) => ({ id, index, price: Math.floor((index + 1) / 100) }))
      .toSorted((one, two) => one.price - two.price || two.index - one.index)
      .map(({ id }) => id)
    const later: string[] = []
    const offerLater = async () => later.push(await offerAt('0.050000', 'Scagliola'))
    expect(await readAll('scagliola', 97, offerLater, { sort: 'price' })).to.deep.equal(byPrice)
    const known = [...later.toReversed(), ...ids.toReversed()]
    expect(await readAll('scagliola', 97, offerLater, { sort: 'newest' })).to.deep.equal(known)
    const one = { sort: 'price', min_price: '0.000012', max_price: '0.000012', limit: '2' }
    expect((await search({ q: 'scagliola', ...one })).ids).to.deep.equal(byPrice.slice(-1))
  })

  it('sorts what is titled with stop words, and what a phrase or a word to leave out tells apart', async () => {
    const ids = [await offerAt('2.000000', 'Who we are'), await offerAt('1.000000', 'Who We Are?')]
    for (const q of ['who we are', '"Who we are"'])
      expect((await search({ q, sort: 'price' })).ids, q).to.deep.equal(ids.toReversed())
    expect((await search({ q: '-who we are', sort: 'newest' })).ids).to.deep.equal([])
    const [sought] = [await offerAt('2.000000', 'Pietra dura'), await offerAt('1.000000', 'Dura pietra')]
    expect((await search({ q: '"pietra dura"', sort: 'price' })).ids).to.deep.equal([sought])
    await offerAt('1.000000', 'Pietra serena')
    expect((await search({ q: 'pietra -serena -"dura pietra"', sort: 'newest' })).ids).to.deep.equal([sought])
  })

  it('goes by the index of the order, or by that of the words', async () => {
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select gen_random_uuid(), ${seller.agentId}, 'Sgraffito', 'word' || number, number, 1, 1
      from generate_series(1, 2000) number`.execute(api.db)
    await sql`analyze market.asks`.execute(api.db)
    const planned = openPlanned(api.databaseUrl)
    const planOf = async (wanted: Wanted) =>
      (await planned.plansOf((tx) => findMatches(tx, wanted, { limit: 20 }))).join('\n')
    for (const [wanted, index] of [
      [{ text: 'sgraffito', sort: 'price' }, 'asks_by_price'],
      [{ text: '', sort: 'price', minMicros: 7n }, 'asks_by_price'],
      [{ text: 'sgraffito', sort: 'newest' }, 'asks_active'],
      [{ text: 'word1234', sort: 'price' }, 'asks_search'],
      [{ text: 'word1234', sort: 'newest' }, 'asks_search'],
      [{ text: 'who', sort: 'price' }, 'asks_by_title'],
    ] as const)
      expect(await planOf(wanted), JSON.stringify(wanted.text)).to.include(index)
    await planned.db.destroy()
  })

  it('answers 503 with Retry-After after half a second', async () => {
    const reply = await api.db.transaction().execute(async (tx) => {
      await sql`lock table market.asks in access exclusive mode`.execute(tx)
      return api.send('GET', '/v1/search?q=ocarina', { token: reader.token })
    })
    expectProblem(reply, 503, 'search/timed-out')
    expect(reply.headers.get('Retry-After')).to.equal('1')
    expect((await api.send('GET', '/v1/search?q=ocarina', { token: reader.token })).status).to.equal(200)
  })

  it('limits its own statements alone, and none of what follows in the transaction', async () => {
    await api.db.transaction().execute(async (tx) => {
      const found = await new Deadline(40).run(tx, async () => 'found')
      await sql`select pg_sleep(0.1)`.execute(tx)
      expect(found).to.equal('found')
    })
  })

  it('gives no cursor where nothing follows', async () => {
    const ids = [await offer('Incunabula one'), await offer('Incunabula two')]
    const first = await search({ q: 'incunabula', limit: '1' })
    const second = await search({ q: 'incunabula', limit: '1', cursor: first.next ?? '' })
    expect([...first.ids, ...second.ids]).to.have.members(ids)
    expect(second.next).to.equal(null)
    expect((await search({ q: 'incunabula', limit: '2' })).next).to.equal(null)
  })

  it('gives cursors for one account and one query', async () => {
    for (const title of ['Palimpsest one', 'Palimpsest two']) await offer(title)
    const { next } = await search({ q: 'palimpsest', limit: '1' })
    for (const [query, token] of [
      ['q=palimpsests', reader.token],
      ['q=palimpsest', seller.token],
      ['q=palimpsest&sort=newest', reader.token],
      ['q=palimpsest&min_price=1.000000', reader.token],
      ['q=palimpsest&max_price=99.000000', reader.token],
      [`q=palimpsest&seller_urn=${urnString('agent', seller.agentId)}`, reader.token],
      ['', reader.token],
    ] as const) {
      const reply = await api.send('GET', `/v1/search?${query}&limit=1&cursor=${next}`, { token })
      expectProblem(reply, 400, 'request/invalid', 'cursor')
    }
  })

  it('refuses a query that is too long or makes no sense, and more than 100 asks at once [spec 4:14 7:6]', async () => {
    const get = (query: string) => api.send('GET', `/v1/search?${query}`, { token: reader.token })
    expectProblem(await get(`q=${'a'.repeat(201)}`), 400, 'request/invalid', 'q')
    expectProblem(await get('limit=101'), 400, 'request/invalid', 'limit')
    expectProblem(await get('q=a&q=b'), 400, 'request/invalid', 'q')
    expectProblem(await get('sort=best'), 400, 'request/invalid', 'sort')
    expectProblem(await get('min_price=1'), 400, 'request/invalid', 'min_price')
    expectProblem(await get('min_price=2.000000&max_price=1.000000'), 400, 'request/invalid', 'max_price')
    expectProblem(await get(`seller_urn=${urnString('ask', seller.agentId)}`), 400, 'request/invalid', 'seller_urn')
  })
})

/** A word of letters alone for each number: others would not be told apart by their stems. */
function wordOf(number: number): string {
  return `word${[...String(number)].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('')}q`
}

function textsWith(word: string, place: string): [title: string, description: string] {
  return [place === 'text' ? 'Other' : word, place === 'title' ? 'Other.' : `${word}.`]
}
