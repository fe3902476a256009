import { createHash } from 'node:crypto'

const longest = 63

/**
 * `<team>-<stack>`. Where that is too long for Kubernetes, has a dot, could be the cluster's own, or is another team's (a + b-c,
 * a-b + c; `attempt` counts the names that were not free), a hash takes the end.
 */
export function namespaceOf(team: string, stack: string, attempt = 0): string {
  const plain = `${team}-${stack}`
  if (attempt === 0 && plain.length <= longest && !team.includes('.') && !/^(kube|gantry)-/.test(plain)) return plain
  const hashed = attempt > 1 ? `${team}/${stack}/${attempt}` : `${team}/${stack}`
  const hash = createHash('sha256').update(hashed).digest('hex').slice(0, 8)
  const start = plain.replaceAll('.', '-').replace(/^(kube|gantry)-/, 'team-$1-')
  return `${start.slice(0, longest - hash.length - 1).replace(/-+$/, '')}-${hash}`
}

/** In whose name the cluster is told: it checks the rights of the team's group too. Names travel in a header, so as ASCII. */
export const identityOf = (teamId: number, actor: string) => ({
  user: `gantry:user:${encodeURIComponent(actor)}`,
  groups: [`gantry:team:${teamId}`],
})
