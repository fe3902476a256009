import type { ForgeEventKind } from '@gantry/contract/pipelines/triggers'
import { z } from 'zod'

/** What a forge reports, in terms of none of them. */
export interface ForgeEvent {
  kind: ForgeEventKind
  /** The pushed branch, or the target of a merge request; empty for a tag. */
  branch: string
  tag: string
  commit: string
  /** What the commits changed; null where the report does not tell all of it. */
  paths: string[] | null
  mergeRequest?: { number: number; source: string; target: string; fork: boolean }
}

export const Commits = z.array(
  z.object({
    added: z.array(z.string()).nullish(),
    modified: z.array(z.string()).nullish(),
    removed: z.array(z.string()).nullish(),
  }),
)

/** More than these are not told apart: every path filter then matches. */
const mostPaths = 3000

/** The files of all commits of a push; null where fewer commits are listed than were pushed, or none. */
export function pathsOf(commits: z.infer<typeof Commits>, total: number): string[] | null {
  if (commits.length === 0 || commits.length < total) return null
  const paths = new Set(
    commits.flatMap(({ added, modified, removed }) => [...(added ?? []), ...(modified ?? []), ...(removed ?? [])]),
  )
  return paths.size > mostPaths ? null : [...paths]
}

/** What a reference without its prefix is, or undefined for one of neither kind. */
export function refOf(
  ref: string,
): { kind: 'push'; branch: string; tag: '' } | { kind: 'tag'; branch: ''; tag: string } | undefined {
  if (ref.startsWith('refs/heads/')) return { kind: 'push', branch: ref.slice(11), tag: '' }
  return ref.startsWith('refs/tags/') ? { kind: 'tag', branch: '', tag: ref.slice(10) } : undefined
}

/** A deleted branch or tag has no commit. */
export const isGone = (commit: string | null | undefined): boolean => !commit || /^0+$/.test(commit)
