import { ForgeEventKind } from '@gantry/contract/pipelines/triggers'
import { reportedRef } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Reason } from '../../../../kernel/phrase.ts'

const branch = reportedRef('branch')

/**
 * An event of any git host. Names that git would not accept and invalid commits are refused, because they are passed on
 * to agents.
 */
export const ForgeEvent = z.object({
  kind: ForgeEventKind,
  /** The pushed branch, or the target of a merge request; empty for a tag. */
  branch: z.union([z.literal(''), branch]),
  tag: z.union([z.literal(''), reportedRef('tag')]),
  commit: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'commit-invalid'),
  /** The changed files; null if the event does not list all of them. */
  paths: z.array(z.string()).nullable(),
  /** User names and email addresses of the users who pushed or opened the merge request, as the git host knows them. */
  people: z.array(z.string()),
  /** The marker with which its author requests no build. */
  skip: z.string().optional(),
  /** The time of the event, if the git host reports it. */
  at: z.date().optional(),
  /** The path of its repository, if the git host reports it. */
  repository: z.string().optional(),
  mergeRequest: z.object({ number: z.number().int(), source: branch, target: branch, fork: z.boolean() }).optional(),
})
export type ForgeEvent = z.infer<typeof ForgeEvent>

/** An event that starts no build: its description and the reason. */
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

/** With more paths, every path filter matches. */
const maxPaths = 3000

/** The files of all commits of a push; null if the event lists none, or fewer commits than were pushed. */
export function pathsOf(commits: z.infer<typeof Commits>, total: number): string[] | null {
  if (commits.length === 0 || commits.length < total) return null
  const paths = new Set(
    commits.flatMap(({ added, modified, removed }) => [...(added ?? []), ...(modified ?? []), ...(removed ?? [])]),
  )
  return paths.size > maxPaths ? null : [...paths]
}

/** The marker in a commit's message that requests no build. */
export const skipIn = (message: string | null | undefined): string | undefined =>
  /\[(?:skip ci|ci skip|no ci)\]/i.exec(message ?? '')?.[0]

/** The message of a commit of a push, if it is listed. */
export const messageOf = (commits: z.infer<typeof Commits>, commit: string): string | null | undefined =>
  commits.find(({ id }) => id === commit)?.message

/** The branch or tag of a reference; undefined for other references. */
export function refOf(
  ref: string,
): { kind: 'push'; branch: string; tag: '' } | { kind: 'tag'; branch: ''; tag: string } | undefined {
  if (ref.startsWith('refs/heads/')) return { kind: 'push', branch: ref.slice(11), tag: '' }
  return ref.startsWith('refs/tags/') ? { kind: 'tag', branch: '', tag: ref.slice(10) } : undefined
}

/** A user of GitHub or Gitea; bots and imports may have no names. */
export const Person = z.object({ login: text, username: text, name: text, email: text }).nullish().catch(null)

/** The given names, each once. */
export const namesOf = (...given: (string | null | undefined)[]): string[] => [
  ...new Set(given.flatMap((one) => (one ? [one] : []))),
]

/** A deleted branch or tag has no commit. */
export const isGone = (commit: string | null | undefined): boolean => !commit || /^0+$/.test(commit)

export const deletionOf = ({ branch, tag }: { branch: string; tag: string }): Unbuilt => ({
  event: tag === '' ? `deletion of ${branch}` : `deletion of tag ${tag}`,
  reason: { key: 'pipelines-trigger-deleted', vars: { name: (branch || tag).slice(0, 255) } },
})

/** A change of a merge request without new commits. */
export const unchanged = (number: number, action: string | null | undefined): Unbuilt => ({
  event: `merge request ${number} ${action ?? ''}`.trimEnd(),
  reason: nothing,
})

export const nothing: Reason = { key: 'pipelines-trigger-no-event', vars: {} }
