/** Quotes a label's value for a matcher, so that nothing in it ends the string. */
export const quoted = (value: string): string =>
  `"${value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)}"`

/** Escapes a text for a regular expression. */
export const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** The part of a cluster to query. It comes from the database and the path, never as a matcher from outside. */
export interface MetricScope {
  /** Value of the label `cluster`, if one Prometheus measures several. */
  cluster: string
  host: string | undefined
  /** Undefined means all of the cluster. */
  namespaces: readonly string[] | undefined
  /** Pods of a service, which are named after it, or one pod by name. */
  pods: { of: string } | { is: string } | undefined
  container: string | undefined
}

/** Characters in the hashes and suffixes that Kubernetes generates: no vowels, and nothing that resembles one. */
const letter = '[bcdfghjklmnpqrstvwxz2456789]'
/** Kubernetes cuts a replica set's name so that a pod's has 63 characters with its last five. */
const longestStem = 58

/**
 * Names of the pods of a deployment or daemon set (`web-7d9f8c6b5-x2x4q`, `web-x2x4q`), a stateful set (`web-0`), a
 * cron job (`web-28912345-x2x4q`) or the copy during an upgrade (`web-next-7d9f8c6b5-x2x4q`). A long name of a
 * deployment leaves no room for the second dash. Names of other services that start alike (`web-api-0`) must not match.
 */
export function podPattern(service: string): string {
  const rooms = [service, `${service}-next`].map(({ length }) => longestStem - length - 1)
  const cut = rooms.flatMap((room) => (room > 0 && room <= 10 ? [`|${letter}{${room + 5}}`] : [])).join('')
  return `${literally(service)}(-next)?-((${letter}{5,10}-|[0-9]{8}-)?${letter}{5}|[0-9]{1,5}${cut})`
}

const oneOf = (label: string, values: readonly string[]): string =>
  values.length === 1 ? `${label}=${quoted(values[0] ?? '')}` : `${label}=~${quoted(values.map(literally).join('|'))}`

const inCluster = ({ cluster }: MetricScope): string[] => (cluster === '' ? [] : [`cluster=${quoted(cluster)}`])

/** Matchers for the kubelet's cAdvisor metrics of containers and pods. */
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

/** Matchers for metrics of the whole cluster. */
export const ofCluster = (where: MetricScope, ...fixed: string[]): string =>
  `{${[...fixed, ...inCluster(where)].join(',')}}`

/** Metrics of node exporters by host name, whatever `instance` is, of one host or of all. */
export const byHost = (figures: string, where: MetricScope): string => {
  const named = `max by (instance, nodename) (node_uname_info${ofCluster(
    where,
    ...(where.host === undefined ? [] : [oneOf('nodename', [where.host])]),
  )})`
  return `(${figures}) * on (instance) group_left (nodename) ${named}`
}
