import { ForgeEventKind } from '@gantry/contract/pipelines/triggers'
import { reportedRef } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Reason } from '../../../../kernel/phrase.ts'

const branch = reportedRef('branch')

/**
 * What a forge reports, in terms of none of them. Names that git would not take, and a commit that is none, are refused:
 * they are handed on to agents.
 */
export const ForgeEvent = z.object({
  kind: ForgeEventKind,
  /** The pushed branch, or the target of a merge request; empty for a tag. */
  branch: z.union([z.literal(''), branch]),
  tag: z.union([z.literal(''), reportedRef('tag')]),
  commit: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'commit-invalid'),
  /** What the commits changed; null where the report does not tell all of it. */
  paths: z.array(z.string()).nullable(),
  /** User names and mail addresses of those who pushed, or opened the merge request, as the forge knows them. */
  people: z.array(z.string()),
  /** What its author wrote so that nothing is built. */
  skip: z.string().optional(),
  /** When it happened, where the forge says so. */
  at: z.date().optional(),
  /** The path of the repository that it is about, where the forge names it. */
  repository: z.string().optional(),
  mergeRequest: z.object({ number: z.number().int(), source: branch, target: branch, fork: z.boolean() }).optional(),
})
export type ForgeEvent = z.infer<typeof ForgeEvent>

/** A report that is about nothing to build: what happened, and why that starts no build. */
export interface Unbuilt {
  event: string
  reason: Reason
}

const text = z.string().nullish().catch(null)

export const Commits = z.array(
  z.object({
    id: text,
    message: text,
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

/** What asks in a commit's message for no build. */
export const skipIn = (message: string | null | undefined): string | undefined =>
  /\[(?:skip ci|ci skip|no ci)\]/i.exec(message ?? '')?.[0]

/** The message of a commit of a push, where it is listed. */
export const messageOf = (commits: z.infer<typeof Commits>, commit: string): string | null | undefined =>
  commits.find(({ id }) => id === commit)?.message

/** What a reference without its prefix is, or undefined for one of neither kind. */
export function refOf(
  ref: string,
): { kind: 'push'; branch: string; tag: '' } | { kind: 'tag'; branch: ''; tag: string } | undefined {
  if (ref.startsWith('refs/heads/')) return { kind: 'push', branch: ref.slice(11), tag: '' }
  return ref.startsWith('refs/tags/') ? { kind: 'tag', branch: '', tag: ref.slice(10) } : undefined
}

/** Somebody of GitHub or Gitea; a bot or an import may have no names. */
export const Person = z.object({ login: text, username: text, name: text, email: text }).nullish().catch(null)

/** What people are known by, each once. */
export const namesOf = (...given: (string | null | undefined)[]): string[] => [
  ...new Set(given.flatMap((one) => (one ? [one] : []))),
]

/** A deleted branch or tag has no commit. */
export const isGone = (commit: string | null | undefined): boolean => !commit || /^0+$/.test(commit)

export const deletionOf = ({ branch, tag }: { branch: string; tag: string }): Unbuilt => ({
  event: tag === '' ? `deletion of ${branch}` : `deletion of tag ${tag}`,
  reason: { key: 'pipelines-trigger-deleted', vars: { name: (branch || tag).slice(0, 255) } },
})

/** What happened to a merge request without bringing commits. */
export const unchanged = (number: number, action: string | null | undefined): Unbuilt => ({
  event: `merge request ${number} ${action ?? ''}`.trimEnd(),
  reason: nothing,
})

export const nothing: Reason = { key: 'pipelines-trigger-no-event', vars: {} }
