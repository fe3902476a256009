import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** examples/hello of this release: what the sample's first commit holds. */
const folder = join(import.meta.dirname, '../../../../../examples/hello')

export async function sampleFiles(): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => /\.(mjs|md)$/.test(name)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
}
