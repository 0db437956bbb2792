import { describe, it } from 'node:test'
import { expect } from 'chai'
import { z } from 'zod'
import { requireBucket, s3Of, s3Variables } from '../../../api/config/s3.ts'

const schema = z.object(s3Variables).check(requireBucket)

describe('the bucket of uploads', () => {
  it('is none where nothing is set', () => {
    expect(s3Of(schema.parse({}))).to.equal(undefined)
  })

  it('is at the service that is named, by the key that is given', () => {
    const given = {
      S3_BUCKET: 'files',
      S3_ENDPOINT: 'https://s3.example',
      S3_REGION: 'eu-west-1',
      S3_PATH_STYLE: 'true',
    }
    const read = schema.parse({ ...given, S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' })
    expect(s3Of(read)).to.deep.equal({
      ...{ bucket: 'files', endpoint: 'https://s3.example', region: 'eu-west-1', isPathStyle: true },
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    })
  })

  it('is refused by halves', () => {
    const faults = (given: object) => schema.safeParse(given).error?.issues.map(({ path: [variable] }) => variable)
    expect(faults({ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' })).to.deep.equal(['S3_SECRET_ACCESS_KEY'])
    expect(faults({ S3_BUCKET: 'files', S3_SECRET_ACCESS_KEY: 'x' })).to.deep.equal(['S3_ACCESS_KEY_ID'])
    expect(faults({ S3_ENDPOINT: 'https://s3.example' })).to.deep.equal(['S3_BUCKET'])
    expect(faults({ S3_BUCKET: 'files', S3_ENDPOINT: 'ftp://s3.example' })).to.deep.equal(['S3_ENDPOINT'])
  })
})
