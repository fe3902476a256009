import { createHash } from 'node:crypto'

const longest = 63

/**
 * `<team>-<stack>`. Where that is too long for Kubernetes, contains a dot, could be the cluster's own, or is another
 * team's (a + b-c, a-b + c; `attempt` counts the taken names), it ends in a hash.
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
 * The identity in whose name the cluster is called: it checks the permissions of the team's group too. Names go into a
 * header, so they are ASCII.
 */
export const identityOf = (teamId: number, actor: string) => ({
  user: `gantry:user:${encodeURIComponent(actor)}`,
  groups: [`gantry:team:${teamId}`],
})
