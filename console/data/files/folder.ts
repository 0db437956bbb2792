/** Returns a chosen folder as one zip archive with its name. Leaves out names that begin with a dot. */
export async function archiveOf(files: readonly File[]): Promise<File> {
  const { Zip, ZipDeflate } = await import('fflate')
  const parts: Uint8Array<ArrayBuffer>[] = []
  const { promise: written, resolve, reject } = Promise.withResolvers<void>()
  const archive = new Zip((error, part, isLast) => {
    if (error) return reject(error)
    parts.push(part)
    if (isLast) resolve()
  })
  const kept = files.map((file) => ({ file, path: file.webkitRelativePath.split('/') })).filter(isKept)
  for (const { file, path } of kept) {
    const entry = new ZipDeflate(path.slice(1).join('/'), { level: 6 })
    archive.add(entry)
    entry.push(new Uint8Array(await file.arrayBuffer()), true)
  }
  archive.end()
  await written
  const name = kept[0]?.path[0] ?? 'folder'
  return new File(parts, `${name}.zip`, { type: 'application/zip' })
}

function isKept({ path }: { path: string[] }): boolean {
  return !path.slice(1).some((name) => name.startsWith('.'))
}
