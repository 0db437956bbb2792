/** Returns the address of a file's small preview, which redirects to a signed link. */
export function previewUrl(org: string, file: { id: string }, size: 256 | 1024): string {
  return `/orgs/${encodeURIComponent(org)}/attachments/${file.id}/preview?size=${size}`
}
