/** A label's value within a matcher: nothing in it ends the text. */
export const quoted = (value: string): string =>
  `"${value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)}"`

/** A text within a regular expression, as itself. */
export const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** What of a cluster is asked for. It comes from the database and the path, never as a matcher from outside. */
export interface MetricScope {
  /** The label `cluster`, where one Prometheus gathers several. */
  cluster: string
  host: string | undefined
  /** Undefined: all of the cluster. */
  namespaces: readonly string[] | undefined
  /** Pods of a service, which are named after it, or one pod by its name. */
  pods: { of: string } | { is: string } | undefined
  container: string | undefined
}

/** What Kubernetes writes hashes and the ends of names with: no vowels, and nothing that looks like one. */
const letter = '[bcdfghjklmnpqrstvwxz2456789]'
/** Kubernetes cuts the name of a replica set so that a pod's has 63 characters, its last five included. */
const longestStem = 58

/**
 * Names of the pods that a deployment or a daemon set (`web-7d9f8c6b5-x2x4q`, `web-x2x4q`), a stateful set (`web-0`), a cron
 * job (`web-28912345-x2x4q`) or the copy of an upgrade (`web-next-7d9f8c6b5-x2x4q`) makes. A long name of a deployment leaves
 * no room for the second dash. Another service's that begins alike (`web-api-0`) is not meant.
 */
export function podPattern(service: string): string {
  const rooms = [service, `${service}-next`].map(({ length }) => longestStem - length - 1)
  const cut = rooms.flatMap((room) => (room > 0 && room <= 10 ? [`|${letter}{${room + 5}}`] : [])).join('')
  return `${literally(service)}(-next)?-((${letter}{5,10}-|[0-9]{8}-)?${letter}{5}|[0-9]{1,5}${cut})`
}

const oneOf = (label: string, values: readonly string[]): string =>
  values.length === 1 ? `${label}=${quoted(values[0] ?? '')}` : `${label}=~${quoted(values.map(literally).join('|'))}`

const inCluster = ({ cluster }: MetricScope): string[] => (cluster === '' ? [] : [`cluster=${quoted(cluster)}`])

/** Matchers of what the kubelet's cAdvisor tells of containers and pods. */
export function ofPods(where: MetricScope, ...fixed: string[]): string {
  const { namespaces, pods, container } = where
  return `{${[
    ...fixed,
    ...inCluster(where),
    namespaces === undefined ? 'namespace!=""' : oneOf('namespace', namespaces),
    ...(pods === undefined ? [] : 'is' in pods ? [oneOf('pod', [pods.is])] : [`pod=~${quoted(podPattern(pods.of))}`]),
    ...(container === undefined ? [] : [oneOf('container', [container])]),
  ].join(',')}}`
}

/** Matchers of what the whole cluster tells. */
export const ofCluster = (where: MetricScope, ...fixed: string[]): string =>
  `{${[...fixed, ...inCluster(where)].join(',')}}`

/** The figures of node exporters under their hosts' names, whatever `instance` is, of one host or of all. */
export const byHost = (figures: string, where: MetricScope): string => {
  const named = `max by (instance, nodename) (node_uname_info${ofCluster(
    where,
    ...(where.host === undefined ? [] : [oneOf('nodename', [where.host])]),
  )})`
  return `(${figures}) * on (instance) group_left (nodename) ${named}`
}
