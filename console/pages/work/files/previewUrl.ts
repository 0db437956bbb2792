/** Returns where the small picture of a file is: the service leads from there to a signed link. */
export function previewUrl(org: string, file: { id: string }, size: 256 | 1024): string {
  return `/orgs/${encodeURIComponent(org)}/attachments/${file.id}/preview?size=${size}`
}
