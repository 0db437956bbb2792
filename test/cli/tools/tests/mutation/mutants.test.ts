import { describe, it } from 'node:test'
import { expect } from 'chai'
import { parse } from '../../../../../cli/tools/tests/mutation/compiler.ts'
import { findMutants } from '../../../../../cli/tools/tests/mutation/mutants.ts'

const PATH = 'contracts/Escrow.sol'
const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// Größer than one byte each: ranges are in bytes.
contract Escrow {
    struct Pair {
        uint256 a;
        uint256 b;
    }
    enum State {
        None,
        Held
    }
    uint256 private _sum;
    State public state;

    event Added(address indexed who, uint256 what, uint256 sum);
    error TooMuch(uint256 what);

    modifier guarded() {
        _;
    }

    function add(Pair calldata pair, address who) external guarded returns (bool done) {
        if (pair.a > 3 && who != address(this)) revert TooMuch(pair.a);
        uint256 next = _sum + pair.a;
        _sum = next;
        state = State.Held;
        emit Added(who, pair.b, next);
        return true;
    }
}
`

describe('the mistakes put into a contract', () => {
  const mutants = findMutants(parse(new Map([[PATH, SOURCE]])))

  it('are those a person could make, each once', () => {
    expect(mutants.map(({ operator, key }) => `${operator} ${key.replace(/^Escrow\./, '')}`)).to.deep.equal([
      'visibility _sum: `private` → `public`',
      'statements add: `guarded` → ``',
      'signs add: `pair.a > 3 && who != address(this)` → `pair.a > 3 || who != address(this)`',
      'conditions add: `pair.a > 3 && who != address(this)` → `true`',
      'conditions add: `pair.a > 3 && who != address(this)` → `false`',
      'signs add: `pair.a > 3` → `pair.a >= 3`',
      'signs add: `pair.a > 3` → `pair.a <= 3`',
      'conditions add: `pair.a > 3` → `true`',
      'members add: `a` → `b`',
      'values add: `3` → `(3 + 1)`',
      'values add: `3` → `(3 - 1)`',
      'signs add: `who != address(this)` → `who == address(this)`',
      'conditions add: `who != address(this)` → `true`',
      'statements add: `revert TooMuch(pair.a);` → `{}`',
      'members add: `a` → `b` (2)',
      'statements add: `= _sum + pair.a` → ``',
      'signs add: `_sum + pair.a` → `_sum - pair.a`',
      'members add: `a` → `b` (3)',
      'statements add: `_sum = next;` → `{}`',
      'statements add: `state = State.Held;` → `{}`',
      'members add: `Held` → `None`',
      'statements add: `emit Added(who, pair.b, next);` → `{}`',
      'arguments add: `pair.b, next` → `next, pair.b`',
      'members add: `b` → `a`',
      'statements add: `return true;` → `{}`',
      'values add: `true` → `false`',
    ])
  })

  it('are in the source at the place they name, and nothing else is changed', () => {
    for (const { text, line, before, after } of mutants) {
      const lines = text.split('\n')
      expect(SOURCE.split('\n')[line - 1]).to.equal(before)
      expect(lines[line - 1]).to.equal(after)
      expect(lines.with(line - 1, before).join('\n')).to.equal(SOURCE)
    }
  })
})
