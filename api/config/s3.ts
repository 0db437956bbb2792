import { z } from 'zod'
import type { S3Settings } from '../context.ts'

/** The variables of the bucket for uploads. */
export const s3Variables = {
  S3_BUCKET: z.string().min(1).optional(),
  /** By default, Amazon's own service. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_PATH_STYLE: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
}

const schema = z.object(s3Variables)

type Read = z.output<typeof schema>

/** Refuses half of a key, and settings that have no effect without a bucket. */
export function requireBucket({ value, issues }: z.core.ParsePayload<Read>): void {
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = value
  const missing = (path: keyof Read, other: keyof Read) =>
    issues.push({ code: 'custom', input: undefined, path: [path], message: `is needed with ${other}` })
  if (S3_ACCESS_KEY_ID === undefined && S3_SECRET_ACCESS_KEY !== undefined)
    missing('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY')
  if (S3_SECRET_ACCESS_KEY === undefined && S3_ACCESS_KEY_ID !== undefined)
    missing('S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID')
  if (S3_BUCKET === undefined && S3_ENDPOINT !== undefined) missing('S3_BUCKET', 'S3_ENDPOINT')
  if (S3_BUCKET === undefined && S3_ACCESS_KEY_ID !== undefined) missing('S3_BUCKET', 'S3_ACCESS_KEY_ID')
}

/** Returns the bucket that is configured, or undefined. */
export function s3Of(read: Read): S3Settings | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = read
  if (bucket === undefined) return undefined
  return {
    bucket,
    endpoint: read.S3_ENDPOINT,
    region: read.S3_REGION,
    isPathStyle: read.S3_PATH_STYLE,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  }
}
