import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/** The archive of a chart named hello, with these files. */
export function chartArchive(
  files: Record<string, string | Buffer>,
  { link, rooted = true }: { link?: string; rooted?: boolean } = {},
): Promise<Buffer> {
  const tar = pack()
  for (const [name, content] of Object.entries(files)) tar.entry({ name: rooted ? `hello/${name}` : name }, content)
  if (link !== undefined) tar.entry({ name: 'hello/link', type: 'symlink', linkname: link })
  tar.finalize()
  return buffer(tar.pipe(createGzip()))
}
