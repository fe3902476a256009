import { type Fetched, inCommit, type Reading } from './commit.ts'
import { textOf } from './file.ts'

/** The names of a commit's files, and the texts of a few small ones. */
export interface CommitTree {
  commit: string
  /** Paths of plain files, from the root. */
  files: string[]
  /** The tree is too large, so only the files at its root are named. */
  isCut: boolean
  /** The texts of those chosen files that are small texts. */
  texts: ReadonlyMap<string, string>
}

/** Enough for some 80,000 names. */
const maxNameBytes = 8 * 1_048_576
const maxTexts = 24
const maxTextBytes = 128 * 1024

/** Reads the names of a commit's files, and the texts of at most 24 small ones that `choose` selects. */
export const readTreeOf = (
  reading: Reading,
  commit: string,
  choose: (files: readonly string[]) => readonly string[],
): Promise<CommitTree> =>
  inCommit(reading, commit, async (fetched) => {
    const { blobs, isCut } = await namesOf(fetched)
    const files = [...blobs.keys()]
    const chosen = choose(files)
      .slice(0, maxTexts)
      .flatMap((path) => [[path, blobs.get(path) ?? ''] as const])
      .filter(([, blob]) => blob !== '')
    // fetches all chosen contents in one request; if the host refuses it, contentOf() fetches each one
    if (fetched.partial && chosen.length > 1) await fetched.fetch(chosen.map(([, blob]) => blob))
    const texts = new Map<string, string>()
    for (const [path, blob] of chosen) {
      const bytes = await fetched.contentOf(blob, maxTextBytes)
      const text = bytes && textOf(bytes)
      if (text !== undefined) texts.set(path, text)
    }
    return { commit, files, isCut, texts }
  })

/** The blobs of plain files by their paths. */
async function namesOf({ commit, git, must }: Fetched): Promise<{ blobs: Map<string, string>; isCut: boolean }> {
  const list = (...how: string[]) => git(['ls-tree', '-z', '--full-tree', ...how, commit], maxNameBytes)
  const all = await list('-r')
  const isCut = all.end === 'too-large'
  const blobs = new Map<string, string>()
  for (const entry of must(isCut ? await list() : all)
    .toString('utf8')
    .split('\0')) {
    const [, blob, path] = /^100\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? []
    if (blob !== undefined && path !== undefined) blobs.set(path, blob)
  }
  return { blobs, isCut }
}
