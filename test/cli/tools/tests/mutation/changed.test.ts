import { describe, it } from 'node:test'
import { expect } from 'chai'
import { groupsOf, nearestTests } from '../../../../../cli/tools/tests/mutation/internal/changed/groups.ts'
import { linesIn } from '../../../../../cli/tools/tests/mutation/internal/changed/lines.ts'

const DIFF = `diff --git a/audit/solvency.ts b/audit/solvency.ts
--- a/audit/solvency.ts
+++ b/audit/solvency.ts
@@ -4 +4,2 @@ import
-one
+two
+three
@@ -9,3 +11,0 @@ function
-gone
@@ -20,0 +20 @@ function
+++ a line that begins as a header
diff --git a/test/audit/solvency.test.ts b/test/audit/solvency.test.ts
--- a/test/audit/solvency.test.ts
+++ b/test/audit/solvency.test.ts
@@ -1 +1 @@
-one
+two
`

describe('the tests of the tests of a change', () => {
  it('put mistakes into the lines that a diff adds to sources, and into no others', () => {
    expect([...linesIn(DIFF)]).to.deep.equal([
      [
        'audit/solvency.ts',
        [
          [4, 5],
          [20, 20],
        ],
      ],
    ])
  })

  it('run the tests of the file’s name, else those of its folder, else those directly above', () => {
    expect(nearestTests('audit/solvency.ts')).to.match(/^test\/audit\//)
    expect(nearestTests('api/trading/orders/place.ts')).to.match(/^test\/api\/trading\/orders\//)
    expect(nearestTests('facilitator/proof/none/new.ts')).to.match(/^test\/facilitator\/(proof\/)?\*\.test\.ts$/)
    expect(nearestTests('nowhere/new.ts')).to.equal(undefined)
  })

  it('begin with the tests that most lines are held against, and name files without tests', () => {
    const { groups, without } = groupsOf(
      new Map([
        ['protocol/encoding/urn.ts', [[1, 1]]],
        [
          'audit/solvency.ts',
          [
            [4, 5],
            [20, 20],
          ],
        ],
        ['nowhere/new.ts', [[1, 9]]],
      ]),
    )
    expect(groups.map(({ lines }) => lines)).to.deep.equal([3, 1])
    expect(groups[0]?.room.sources).to.deep.equal(['audit/solvency.ts:4-5', 'audit/solvency.ts:20-20'])
    expect(without).to.deep.equal(['nowhere/new.ts'])
  })
})
