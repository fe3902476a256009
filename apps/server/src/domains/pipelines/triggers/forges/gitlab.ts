import { z } from 'zod'
import {
  Commits,
  deletionOf,
  type ForgeEvent,
  isGone,
  messageOf,
  namesOf,
  pathsOf,
  Person,
  refOf,
  skipIn,
  type Unbuilt,
  unchanged,
} from './report.ts'

const Name = z.string().nullish().catch(null)

const Project = z.object({ path_with_namespace: z.string().nullish() }).nullish()

const Push = z.object({
  project: Project,
  ref: z.string(),
  after: z.string(),
  checkout_sha: z.string().nullish(),
  commits: Commits.nullish(),
  /** At most 20 commits are listed. */
  total_commits_count: z.number().nullish(),
  /** Options of `git push -o`. */
  push_options: z
    .object({ ci: z.object({ skip: z.unknown() }).nullish() })
    .nullish()
    .catch(null),
  user_username: Name,
  user_email: Name,
})

const MergeRequest = z.object({
  user: Person,
  project: Project,
  object_attributes: z.object({
    iid: z.number().int(),
    action: z.string().nullish(),
    /** In an update, set if it brings commits. */
    oldrev: z.string().nullish(),
    source_branch: z.string(),
    target_branch: z.string(),
    source_project_id: z.number().nullish(),
    target_project_id: z.number(),
    last_commit: z.object({ id: z.string(), message: Name }),
  }),
})

/** Reads an event of GitLab; undefined if it is neither a push nor a merge request. */
export function readGitLab(event: string, body: unknown): ForgeEvent | Unbuilt | undefined {
  if (event === 'Push Hook' || event === 'Tag Push Hook') {
    const {
      project,
      ref,
      after,
      commits,
      total_commits_count: total,
      push_options: options,
      ...rest
    } = Push.parse(body)
    const named = refOf(ref)
    if (!named) return undefined
    if (isGone(after)) return deletionOf(named)
    const list = commits ?? []
    const commit = rest.checkout_sha ?? after
    return {
      ...named,
      commit,
      skip: options?.ci?.skip ? 'ci.skip' : skipIn(messageOf(list, commit)),
      paths: pathsOf(list, total ?? 0),
      repository: project?.path_with_namespace ?? undefined,
      people: namesOf(rest.user_username, rest.user_email),
    }
  }
  if (event !== 'Merge Request Hook') return undefined
  const { project, object_attributes: request, user } = MergeRequest.parse(body)
  const { action, oldrev, source_branch: source, target_branch: target } = request
  if (action !== 'open' && action !== 'reopen' && !(action === 'update' && oldrev))
    return unchanged(request.iid, action)
  const fork = request.source_project_id !== request.target_project_id
  return {
    kind: 'mergeRequest',
    branch: target,
    tag: '',
    commit: request.last_commit.id,
    skip: skipIn(request.last_commit.message),
    paths: null,
    people: namesOf(user?.username, user?.email),
    repository: project?.path_with_namespace ?? undefined,
    mergeRequest: { number: request.iid, source, target, fork },
  }
}
