import { Fault } from '../../kernel/fault.ts'
import { inCommit, type Reading } from './commit.ts'

export interface CommitFile {
  commit: string
  /** The first line of the commit's message. */
  message: string
  text: string
}

/** Maximum size of a file: it is a definition, and its parsed form is kept in memory. */
export const maxFileBytes = 256 * 1024

/** Reads one file of one commit into memory. */
export const readFileOf = (reading: Reading, commit: string, file: string): Promise<CommitFile> =>
  inCommit(reading, commit, async ({ git, must, contentOf }) => {
    const tooLarge = () => new Fault('invalid', 'git-file-too-large', { path: file, commit, most: maxFileBytes / 1024 })
    const about = await git(['show', '--no-patch', '--format=%s', '--end-of-options', `${commit}^{commit}`])
    const message = must(about, tooLarge).toString('utf8').split('\n')[0] ?? ''
    const entry = must(await git(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', file]), tooLarge)
    const [, mode, type, blob] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(entry.toString('utf8')) ?? []
    if (blob === undefined) throw new Fault('invalid', 'git-file-missing', { path: file, commit })
    if (type !== 'blob' || mode === '120000') throw new Fault('invalid', 'git-file-not-plain', { path: file, commit })
    const bytes = await contentOf(blob, maxFileBytes)
    if (!bytes) throw tooLarge()
    const text = textOf(bytes)
    if (text === undefined) throw new Fault('invalid', 'git-file-not-text', { path: file, commit })
    return { commit, message, text }
  })

/** Undefined if the bytes are not UTF-8 text without NUL characters. */
export function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
