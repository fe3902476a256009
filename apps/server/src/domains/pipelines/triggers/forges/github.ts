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

/** In pushes of GitHub, `pushed_at` is in seconds. */
const About = z.object({ full_name: z.string().nullish(), pushed_at: z.unknown().optional() }).nullish()

const Push = z.object({
  repository: About,
  ref: z.string(),
  after: z.string(),
  commits: Commits.nullish(),
  /** Gitea lists only the first few commits. */
  total_commits: z.number().nullish(),
  head_commit: z.object({ id: z.string(), message: z.string().nullish().catch(null) }).nullish(),
  pusher: Person,
  sender: Person,
})

const Repository = z.object({ id: z.number() })
const PullRequest = z.object({
  action: z.string(),
  number: z.number().int(),
  repository: About,
  pull_request: z.object({
    head: z.object({ ref: z.string(), sha: z.string(), repo: Repository.nullish() }),
    base: z.object({ ref: z.string(), repo: Repository }),
    user: Person,
    updated_at: z.string().nullish(),
  }),
  sender: Person,
})

/** The `name` of GitHub's pusher is its user name, while Gitea's is a full name. */
const namesOfPeople = (...people: z.infer<typeof Person>[]): string[] =>
  namesOf(...people.flatMap((one) => [one?.login, one?.username, one?.login ? null : one?.name, one?.email]))

/** GitHub lists at most this many commits of a push. */
const maxCommits = 2048

/** Actions that bring commits, in the names of GitHub and Gitea. */
const withCommits = new Set(['opened', 'reopened', 'synchronize', 'synchronized'])

/** Reads an event of GitHub or Gitea, which write alike; undefined if it is neither a push nor a merge request. */
export function readGitHub(event: string, body: unknown): ForgeEvent | Unbuilt | undefined {
  if (event === 'push') {
    const {
      repository,
      ref,
      after,
      commits,
      total_commits: total,
      head_commit: head,
      pusher,
      sender,
    } = Push.parse(body)
    const { full_name: name, pushed_at: pushed } = repository ?? {}
    const named = refOf(ref)
    if (!named) return undefined
    if (isGone(after)) return deletionOf(named)
    const list = commits ?? []
    // an annotated tag has its own hash, so the commit is that of the head
    const commit = named.kind === 'tag' ? (head?.id ?? after) : after
    return {
      ...named,
      commit,
      skip: skipIn(head?.message ?? messageOf(list, commit)),
      paths: list.length >= maxCommits ? null : pathsOf(list, total ?? 0),
      at: typeof pushed === 'number' ? new Date(pushed * 1000) : undefined,
      repository: name ?? undefined,
      people: namesOfPeople(pusher, sender),
    }
  }
  if (event !== 'pull_request' && event !== 'pull_request_sync') return undefined
  const { action, number, repository, pull_request: request, sender } = PullRequest.parse(body)
  if (!withCommits.has(action)) return unchanged(number, action)
  const { head, base, updated_at: at } = request
  return {
    kind: 'mergeRequest',
    branch: base.ref,
    tag: '',
    commit: head.sha,
    paths: null,
    people: namesOfPeople(request.user, sender),
    at: at ? new Date(at) : undefined,
    repository: repository?.full_name ?? undefined,
    mergeRequest: { number, source: head.ref, target: base.ref, fork: head.repo?.id !== base.repo.id },
  }
}
