import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { MutantResult } from '@stryker-mutator/api/core'
import { expect } from 'chai'
import { ROOT } from '../../../../../cli/machine/paths.ts'
import { scoreOf } from '../../../../../cli/tools/tests/mutation/internal/score.ts'
import { LEFT_OUT } from '../../../../../cli/tools/tests/mutation/internal/typescript/plugins.ts'
import { isOfARoom } from '../../../../../cli/tools/tests/mutation/internal/typescript/rooms.ts'
import { judgedOf } from '../../../../../cli/tools/tests/mutation/internal/typescript/run.ts'

const PATH = 'protocol/payments/split.ts'
const lines = readFileSync(ROOT + PATH, 'utf8').split('\n')
const line = lines.findIndex((text) => text.includes('return'))
const text = lines[line] ?? ''

/** A mutant in place of the word `return`. */
function result(id: number, status: MutantResult['status'], statusReason = ''): MutantResult {
  const column = text.indexOf('return') + 1
  const location = { start: { line: line + 1, column }, end: { line: line + 1, column: column + 'return'.length } }
  return {
    id: String(id),
    fileName: ROOT + PATH,
    mutatorName: 'Test',
    location,
    replacement: 'throw',
    status,
    statusReason,
  }
}

describe('what Stryker says of mistakes in TypeScript', () => {
  it('is a score of those in the sample, in source order', () => {
    const judged = judgedOf([
      result(4, 'CompileError', LEFT_OUT),
      result(1, 'Survived'),
      result(0, 'Killed'),
      result(2, 'NoCoverage'),
      result(3, 'Timeout'),
      result(5, 'Ignored'),
      result(6, 'RuntimeError'),
    ])
    const score = scoreOf(judged, [])
    expect(score.killed).to.have.length(3)
    expect(score.timeouts).to.have.length(1)
    expect(score.survivors.map(({ operator }) => operator)).to.deep.equal(['Test', 'Test, which no test reaches'])
    expect(score.percent).to.equal(60)
  })

  it('names a mistake by its file and change, numbered in the whole file whatever the sample is', () => {
    const [first, third] = judgedOf([result(0, 'Survived'), result(1, 'CompileError', LEFT_OUT), result(2, 'Survived')])
    const key = `${PATH}: \`return\` → \`throw\``
    expect(first?.mutant).to.include({
      key,
      path: PATH,
      line: line + 1,
      before: text,
      after: text.replace('return', 'throw'),
    })
    expect(third?.mutant.key).to.equal(`${key} (3)`)
  })
})

describe('a name given to ./market test deep mutation', () => {
  it('is a room or a file of one', () => {
    for (const name of ['payments', 'audit', 'audit/holds.ts', 'api/payments/settlement/internal/outflow.ts']) {
      expect(isOfARoom(name), name).to.equal(true)
    }
    for (const name of ['release', 'cli/tools/test.ts']) expect(isOfARoom(name), name).to.equal(false)
    expect(isOfARoom('audit/holds.ts', 'sdk')).to.equal(false)
  })
})
