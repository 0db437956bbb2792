import { describe, it } from 'node:test'
import { expect } from 'chai'
import { schema } from '../../../api/schema.ts'
import { readReleases } from '../../../cli/tools/internal/releases.ts'
import { schemaHash } from '../../../cli/tools/release.ts'

describe('releases.json', () => {
  it('names for each release migrations that are still as they were', async () => {
    const now = []
    for (const { version, schema: newest } of readReleases())
      now.push({ version, schema: newest, schema_sha256: await schemaHash(newest) })
    expect(
      readReleases().map(({ version, schema, schema_sha256 }) => ({ version, schema, schema_sha256 })),
    ).to.deep.equal(now)
  })

  it('has no migration of a released version that the release did not have', () => {
    for (const { version, schema: newest } of readReleases())
      expect(schema.migrations.filter((each) => each.version === version && each.name > newest)).to.deep.equal([])
  })
})
