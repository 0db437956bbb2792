import fc from 'fast-check'
import { another, changed, type Path, pathsOf } from '../members.ts'

// Beyond one change of each field there is.
const RUNS = process.env.MARKET_TEST_DEEP ? 2_000 : 10

/** Changes one field, wherever it is, and another one each time. */
export async function forAnyField<Value>(
  value: Value,
  check: (changed: Value, path: Path) => Promise<void>,
): Promise<void> {
  const paths = pathsOf(value)
  const seen = new Set<string>()
  const property = fc.asyncProperty(fc.constantFrom(...paths), fc.nat({ max: 1_000_000 }), async (path, by) => {
    seen.add(path.join('.'))
    await check(changed(value, path, (one) => another(one, by)) as Value, path)
  })
  await fc.assert(property, { numRuns: RUNS })
  // Chance leaves a few out: those as well.
  for (const path of paths)
    if (!seen.has(path.join('.'))) await check(changed(value, path, (one) => another(one)) as Value, path)
}
