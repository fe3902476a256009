import { chmod, readdir, rename, rmdir, unlink } from 'node:fs/promises'

/** Number of files that are removed at the same time: more than the thread pool can work on at once. */
const together = 8

/**
 * Removes a folder that others have filled. Every folder inside is moved up into the root before it is emptied, so no
 * path is longer than the root and two names, however deep the tree is. Names are bytes, which need not be text.
 * Continues after a failure, and throws the first one at the end.
 */
export async function removeTree(root: string): Promise<void> {
  const failures: unknown[] = []
  const failed = (cause: unknown): void => {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') failures.push(cause)
  }
  const top = Buffer.from(`${root}/`)
  const folders = [top]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const within = folder
    const entries = (await readdir(within, { withFileTypes: true, encoding: 'buffer' }).catch(failed)) ?? []
    const files = entries.filter((entry) => !entry.isDirectory())
    for (let at = 0; at < files.length; at += together)
      await Promise.all(
        files.slice(at, at + together).map(({ name }) => unlink(Buffer.concat([within, name])).catch(failed)),
      )
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      const path = Buffer.concat([within, name])
      const up = Buffer.from(`${root}/up-${process.hrtime.bigint()}/`)
      // moving a folder requires write permission, and emptying it requires entering it; a step may have removed both
      await chmod(path, 0o700)
        .then(() => rename(path, up))
        .then(() => folders.push(up), failed)
    }
    if (within !== top) await rmdir(within).catch(failed)
  }
  await rmdir(top).catch(failed)
  if (failures.length > 0) throw failures[0]
}
