import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../../cli/machine/paths.ts'
import type { Outcome, Question } from '../../../cli/tools/tests/mutation/outcome.ts'
import { judgeAll, TIMEOUT } from '../../../cli/tools/tests/mutation/pool.ts'

const PATH = 'contracts/Escrow.sol'
const ARTIFACT = `artifacts/${PATH}/Escrow.json`
const CHECK = 'if (amount == 0) revert NothingToWithdraw(account);'
const HIDDEN = 'function _holdId(bytes32 nonce, address payer) private'
const read = (path: string) => readFileSync(ROOT + path, 'utf8')

describe('a contract with a mistake', { timeout: 240_000 }, () => {
  const source = read(PATH)
  const artifact = read(ARTIFACT)
  const replaced = (from: string, to: string): Question => {
    expect(source).to.contain(from)
    return { path: PATH, text: source.replace(from, to), likely: undefined, thorough: false }
  }
  const judge = async (questions: readonly Question[], timeoutsMs?: { quick: number; thorough: number }) => {
    const outcomes: Outcome[] = []
    await judgeAll(questions, (index, outcome) => (outcomes[index] = outcome), timeoutsMs)
    return outcomes
  }
  let outcomes: Outcome[]

  before(async () => {
    outcomes = await judge([
      replaced(CHECK, ''),
      replaced(CHECK, `if (account == address(0xD00D)) return; ${CHECK}`),
      replaced(HIDDEN, HIDDEN.replace('private', 'public')),
      replaced(CHECK, `/* as it was */ ${CHECK}`),
      replaced(CHECK, 'if'),
    ])
  })

  it('is noticed by the tests, which are named', () => {
    expect(outcomes[0]).to.deep.equal({ kind: 'killed', by: 'WithdrawTest.test_refusesAnAccountWithoutCredit' })
  })

  it('survives where no test looks', () => {
    expect(outcomes[1]).to.deep.equal({ kind: 'survived' })
  })

  it('is noticed by its ABI where no test looks', () => {
    expect(outcomes[2]).to.deep.equal({ kind: 'killed', by: 'the ABI check' })
  })

  it('is none when its bytecode is the same', () => {
    expect(outcomes[3]).to.deep.equal({ kind: 'equivalent' })
  })

  it('does not count when it does not compile', () => {
    expect(outcomes[4]).to.deep.equal({ kind: 'stillborn' })
  })

  it('is killed when it takes too long, and the next goes on', async () => {
    const questions = [replaced(CHECK, ''), replaced(CHECK, CHECK), replaced(CHECK, 'if')]
    const late: Outcome = { kind: 'killed', by: TIMEOUT }
    expect(await judge(questions, { quick: 1, thorough: 1 })).to.deep.equal([late, late, late])
  })

  it('is never in the sources, nor in what other tests run', () => {
    expect(read(PATH)).to.equal(source)
    expect(read(ARTIFACT)).to.equal(artifact)
  })
})
