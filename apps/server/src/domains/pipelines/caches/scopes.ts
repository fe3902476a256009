export interface Source {
  branch: string
  tag: string
  mergeRequest: { number: number; target: string } | null
  defaultBranch: string
}

/**
 * The scopes that a build reads, in this order; it writes to the first. A merge request has a scope of its own,
 * whatever its branch is called, so that nobody else reads what a fork's authors store.
 */
export function scopesOf({ branch, tag, mergeRequest, defaultBranch }: Source): [string, ...string[]] {
  const own = mergeRequest ? `request ${mergeRequest.number}` : tag === '' ? `branch ${branch}` : `tag ${tag}`
  const others = [mergeRequest?.target, defaultBranch].filter((name) => name !== undefined && name !== '')
  return [own, ...new Set(others.map((name) => `branch ${name}`).filter((scope) => scope !== own))]
}
