import { Upload } from 'tus-js-client'
import { ApiProblem } from '../../sdk/problem.ts'

/** Where an uploaded file goes. */
export interface Destination {
  org: string
  page: string
  /** How the page's text refers to it. */
  insert: 'none' | 'embed' | 'link'
}

/** How an upload goes on. */
interface Watch {
  onProgress: (sentBytes: number) => void
  signal: AbortSignal
}

const RETRY_AFTER_MS = [0, 1_000, 3_000, 10_000, 30_000]
const PART_BYTES = 8 * 1024 * 1024

/**
 * Uploads a file in parts, and goes on where an earlier try of the same file stopped. Returns the id of its attachment.
 * Throws an ApiProblem for what the service refuses, and what the network threw once it stays away.
 */
export async function upload(file: File, destination: Destination, { onProgress, signal }: Watch): Promise<string> {
  let attachment: string | undefined
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const task = new Upload(file, {
    endpoint: new URL('/uploads', location.origin).href,
    chunkSize: PART_BYTES,
    retryDelays: RETRY_AFTER_MS,
    removeFingerprintOnSuccess: true,
    // The same file may go to two pages: each upload is its own.
    fingerprint: async () =>
      ['upload', destination.org, destination.page, file.name, file.size, file.lastModified].join('/'),
    metadata: { ...destination, filename: file.name },
    onProgress,
    onAfterResponse: (_request, response) => {
      attachment = response.getHeader('Workspace-Attachment') ?? attachment
    },
    onSuccess: () => resolve(),
    onError: (error) =>
      reject('originalResponse' in error ? problemOf(error.originalResponse?.getBody(), error) : error),
  })
  signal.addEventListener('abort', () => {
    void task.abort(true).finally(() => reject(new Error('The upload was stopped.')))
  })
  const [earlier] = await task.findPreviousUploads()
  if (earlier) task.resumeFromPreviousUpload(earlier)
  task.start()
  await promise
  if (!attachment) throw new Error('The service did not say which attachment it made.')
  return attachment
}

function problemOf(body: string | undefined, error: Error): Error {
  if (!body) return new TypeError('the network failed', { cause: error })
  try {
    const problem = JSON.parse(body) as { status?: number; type?: string; detail?: string }
    return new ApiProblem(problem.status ?? 0, problem)
  } catch {
    return error
  }
}
