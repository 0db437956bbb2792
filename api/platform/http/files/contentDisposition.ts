/**
 * Returns the header Content-Disposition (RFC 6266) for a file of this name. No character of the name can end
 * the value or the header, and the name contains no folder.
 */
export function contentDisposition(disposition: 'inline' | 'attachment', filename: string): string {
  const name = filename.toWellFormed().replaceAll(/[/\\]/g, '_')
  // For receivers that do not know filename*.
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["%;]/g, '_')
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, percent)}`
}

// Encodes the characters that RFC 8187 requires to be encoded and encodeURIComponent leaves as they are.
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
