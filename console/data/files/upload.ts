// Loaded with the first upload, so that no page loads tus at first.
import { type UploadDestination, type UploadedFile, type UploadOptions, uploadFile } from '../../../sdk/files.ts'

/** Uploads a file as the person of this page. Throws as `uploadFile` does. */
export function upload(file: File, destination: UploadDestination, options: UploadOptions): Promise<UploadedFile> {
  return uploadFile({ baseUrl: location.origin }, file, destination, options)
}
