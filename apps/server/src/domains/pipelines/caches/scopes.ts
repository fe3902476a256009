export interface Source {
  branch: string
  tag: string
  mergeRequest: { number: number; target: string } | null
  defaultBranch: string
}

/**
 * Whose entries a build reads, in this order; its own are kept in the first. A merge request has a scope of its own,
 * whatever its branch is called: what people of a fork keep is read by nobody else.
 */
export function scopesOf({ branch, tag, mergeRequest, defaultBranch }: Source): [string, ...string[]] {
  const own = mergeRequest ? `request ${mergeRequest.number}` : tag === '' ? `branch ${branch}` : `tag ${tag}`
  const others = [mergeRequest?.target, defaultBranch].filter((name) => name !== undefined && name !== '')
  return [own, ...new Set(others.map((name) => `branch ${name}`).filter((scope) => scope !== own))]
}
