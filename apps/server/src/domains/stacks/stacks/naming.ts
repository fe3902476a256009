import { createHash } from 'node:crypto'

const longest = 63

/**
 * `<team>-<stack>`. It ends in a hash if it would be too long for Kubernetes, contain a dot, could be the cluster's
 * own, or is another team's (a + b-c, a-b + c; `attempt` counts the taken names).
 */
export function namespaceOf(team: string, stack: string, attempt = 0): string {
  const plain = `${team}-${stack}`
  if (attempt === 0 && plain.length <= longest && !team.includes('.') && !/^(kube|gantry)-/.test(plain)) return plain
  const hashed = attempt > 1 ? `${team}/${stack}/${attempt}` : `${team}/${stack}`
  const hash = createHash('sha256').update(hashed).digest('hex').slice(0, 8)
  const start = plain.replaceAll('.', '-').replace(/^(kube|gantry)-/, 'team-$1-')
  return `${start.slice(0, longest - hash.length - 1).replace(/-+$/, '')}-${hash}`
}

/**
 * The identity for calls to the cluster on behalf of a user; the cluster checks the permissions of the team's group
 * too. Names become headers, so they are ASCII.
 */
export const identityOf = (teamId: number, actor: string) => ({
  user: `gantry:user:${encodeURIComponent(actor)}`,
  groups: [`gantry:team:${teamId}`],
})
