import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'
import { type Block, blocksOf, isRun, PAGES } from '../kit/docs/blocks.ts'

const blocks = PAGES.flatMap(blocksOf)

/** What is wrong with the info string of a block; undefined if nothing is. */
function fault(block: Block): string | undefined {
  const { language, marks, code } = block
  const tested = marks.flatMap((mark) => (mark.startsWith('tested=') ? mark.slice('tested='.length) : []))
  const unknown = marks.filter((mark) => mark !== 'fragment' && !mark.startsWith('tested='))
  if (unknown.length > 0) return `no such mark: ${unknown.join(', ')}`
  const missing = tested.find((file) => !existsSync(ROOT + file))
  if (missing) return `no such test: ${missing}`
  if (isRun(block) || marks.length > 0 || language === 'text') return undefined
  if (language !== 'json')
    return `say what ${language || 'this'} is: sh, js or ts runs; else text, fragment, or tested=<file>`
  try {
    JSON.parse(code)
    return undefined
  } catch {
    return 'is no JSON'
  }
}

describe('every block of code in the documentation', () => {
  it('runs, or says that it is output, a fragment, or run by another test', () => {
    const wrong = blocks.flatMap((block) => {
      const said = fault(block)
      return said === undefined ? [] : `${block.file}:${block.line}: ${said}`
    })
    expect(wrong).to.deep.equal([])
    expect(blocks.filter(isRun)).to.have.length.above(12)
  })

  it('is held to that: what is not marked, marked wrongly, or broken is found', () => {
    const block = { file: 'x.md', line: 1, language: 'sh', marks: [], code: '{' }
    expect(fault(block)).to.equal(undefined)
    for (const wrong of [{ language: '' }, { language: 'json' }, { marks: ['framgent'] }, { marks: ['tested=no.ts'] }])
      expect(fault({ ...block, ...wrong }), JSON.stringify(wrong)).to.be.a('string')
  })
})
