import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { addTexts, type ConsoleTexts, consoleCatalogue } from '../../cli/tools/internal/consoleTexts.ts'
import { parse } from '../../console/texts/message.ts'
import { msg, setLanguage, t } from '../../console/texts/texts.ts'
import { word } from '../../console/texts/words.ts'
import { amountText, bytesText, dayText, durationText } from '../../console/ui/values/format.ts'

describe('the texts of the console', () => {
  afterEach(() => setLanguage('en', {}))

  it('are English without a language, with numbers and plurals as English has them', () => {
    expect(t('Hello, {name}', { name: 'Ada' })).to.equal('Hello, Ada')
    const orders = '{count, plural, =0 {no orders} one {# order} other {# orders}}' as const
    expect([0, 1, 2, 1_234].map((count) => t(orders, { count }))).to.deep.equal([
      'no orders',
      '1 order',
      '2 orders',
      '1,234 orders',
    ])
    expect(t(msg('{side, select, buyer {She buys} other {She sells}}'), { side: 'seller' })).to.equal('She sells')
    expect(t('Order [verb]')).to.equal('Order')
    expect([word('in_review'), word('a_code_of_tomorrow')]).to.deep.equal(['in review', 'a code of tomorrow'])
  })

  it('are those of a second language, with its own plurals, and English where it has none', () => {
    setLanguage('pl', {
      '{count, plural, one {# order} other {# orders}}':
        '{count, plural, one {# zamówienie} few {# zamówienia} other {# zamówień}}',
      'Hello, {name}': 'Witaj, {name}',
    })
    const orders = [1, 3, 5, 12_345].map((count) => t('{count, plural, one {# order} other {# orders}}', { count }))
    expect(orders).to.deep.equal(['1 zamówienie', '3 zamówienia', '5 zamówień', '12\u00a0345 zamówień'])
    expect([t('Hello, {name}', { name: 'Ada' }), t('Save')]).to.deep.equal(['Witaj, Ada', 'Save'])
  })

  it('write amounts, sizes, lengths of time and days as the language does', () => {
    expect([
      amountText('-1204.500000'),
      bytesText(4_100),
      durationText(5_400),
      durationText(0.4),
      dayText('2026-11-25T12:00:00Z'),
    ]).to.deep.equal(['−1\u2009204.50', '4.1 kB', '1 hour 30 minutes', '0 seconds', 'Nov 25'])
  })

  it('refuse a message that cannot be read', () => {
    for (const message of ['{name', 'a } b', '<b>open', 'a</b>', '{n, plural, one {#}}', '{n, number}', '<a>b</c>'])
      expect(() => parse(message), message).to.throw(SyntaxError)
  })

  it('are all in the catalogue, which a language can translate', () => {
    expect(() => consoleCatalogue()).to.not.throw()
  })
})

describe('the check of the console’s texts', () => {
  const faultsIn = (source: string) => {
    const texts: ConsoleTexts = { messages: new Map(), faults: [] }
    addTexts(texts, 'console/pages/Page.tsx', source)
    return texts.faults.map((fault) => fault.replace(/^.*?: /, ''))
  }
  const isBare = (text: string) => `${text} is shown but stands in no catalogue: write t('…')`

  it('finds text that goes past the catalogue, wherever people read it', () => {
    expect(faultsIn('const P = () => <p>Paid out</p>')).to.deep.equal([isBare('Paid out')])
    expect(faultsIn('const P = () => <Field label="At" />')).to.deep.equal([isBare('"At"')])
    expect(faultsIn("const P = ({ is }) => <p>{is ? 'yes' : null}</p>")).to.deep.equal([isBare("'yes'")])
    const sum = '`Paid $' + '{n} orders`'
    expect(faultsIn(`const f = (n) => remark(${sum})`)).to.deep.equal([isBare(sum)])
    expect(faultsIn("const f = () => { throw new Error('Nothing was paid.') }")).to.deep.equal([
      isBare("'Nothing was paid.'"),
    ])
    expect(faultsIn("const C = [{ title: 'State' }]")).to.deep.equal([isBare("'State'")])
  })

  it('leaves alone what nobody reads', () => {
    expect(faultsIn('const P = () => <p className="muted small" data-state="open">✓ <code>market keys</code></p>')).to
      .be.empty
    expect(faultsIn("const f = (key) => key === 'Escape' && document.querySelector('main, dialog')")).to.be.empty
    expect(faultsIn('const P = () => <Trans message="Its clock: {time}" time={<b />} />')).to.be.empty
  })

  it('finds messages that are put together, made too early, or given other values than they name', () => {
    expect(faultsIn("const f = (n) => t('Order ' + n)")).to.include(
      'a message is one literal, with names for its values',
    )
    expect(faultsIn("const T = { a: t('Paid') }")).to.have.length(1)
    expect(faultsIn("const f = (n) => t('Order {id}', { n })")).to.deep.equal([
      '“Order {id}” is given no id',
      '“Order {id}” has no place for n',
    ])
    expect(faultsIn("const f = (n) => t('{n, plural, one {#}}', { n })")).to.have.length(1)
  })
})
