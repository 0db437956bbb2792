import { describe, it } from 'node:test'
import { expect } from 'chai'
import { conditionsOf, withMarkers } from './conditions.ts'

const SOURCE = `pragma solidity 0.8.37;
contract Example {
  // Not a condition, but longer in bytes than in letters: if (é && b)
  function f(bool a, bool b, uint256 c) external pure returns (bool) {
    if (a || (b && !(c == 1))) return (a ? b : a) && c > 2;
    for (uint256 i = 0; i < c; ++i) require(b, "no");
    return a;
  }
}
`

describe('the branches of a contract', () => {
  it('are the two ways of each condition the compiler must jump on', () => {
    const found = conditionsOf('Example.sol', SOURCE).map(({ line, text }) => `${line}: ${text}`)
    expect(found).to.deep.equal([
      '5: a',
      '5: b',
      '5: !(c == 1)',
      '5: a ? b : a',
      '5: a',
      '5: c > 2',
      '6: i < c',
      '6: b',
    ])
  })

  it('each report to a tag of their own', () => {
    const tags = conditionsOf('Example.sol', SOURCE).flatMap((condition) => Object.values(condition.tags))
    expect(new Set(tags).size).to.equal(16)
  })

  it('are marked where they stand, the same ones in the same order', () => {
    const marked = withMarkers('Example.sol', SOURCE)
    const bare = marked.replace(/__wentOneWay\(\d+, /g, '<')
    expect(bare).to.contain('if (<a) || (<b) && <!(c == 1)))) return (<<a) ? b : a)) && <c > 2);')
    expect(bare).to.contain('for (uint256 i = 0; <i < c); ++i) require(<b), "no");')
  })

  it('are not looked for in a source that does not parse', () => {
    expect(() => conditionsOf('Example.sol', 'contract {')).to.throw('Example.sol does not parse')
  })
})
