import type { JaegerSpan, Named } from '../../../adapters/jaeger/answers.ts'

/** Whose spans a team may read. */
export interface Scope {
  /** The namespaces of the team's stacks on this cluster. */
  own: ReadonlySet<string>
  /** What the server calls this cluster; empty where it knows no other. */
  cluster: string
}

/** What a tag says; nothing where it says several things. */
export function tagOf(tags: readonly Named[], key: string): string | undefined {
  const values = new Set(tags.flatMap((tag) => (tag.key === key ? [tag.value] : [])))
  return values.size === 1 ? [...values][0] : undefined
}

/** As Istio names a service: with its namespace, both without dots. */
const istioName = /^([a-z0-9-]+)\.([a-z0-9-]+)$/

export const isIn = (service: string, namespace: string): boolean => istioName.exec(service)?.[2] === namespace

/** A service’s name without the namespace that Istio puts behind it. */
export const plainName = (service: string): string => istioName.exec(service)?.[1] ?? service

/** The namespace that a span is of, on this cluster; undefined where nothing says so. Its collector’s word goes before its name. */
export function namespaceOf({ service, process, tags }: JaegerSpan, cluster: string): string | undefined {
  if (cluster !== '') {
    const where = tagOf(process, 'k8s.cluster.name') ?? tagOf(tags, 'istio.cluster_id')
    if (where !== cluster) return undefined
  }
  if (process.some(({ key }) => key === 'k8s.namespace.name')) return tagOf(process, 'k8s.namespace.name')
  return istioName.exec(service)?.[2]
}

/** The same, only where it is the team's. */
export function ownNamespaceOf(span: JaegerSpan, { own, cluster }: Scope): string | undefined {
  const namespace = namespaceOf(span, cluster)
  return namespace !== undefined && own.has(namespace) ? namespace : undefined
}

export const hasFailed = ({ tags }: JaegerSpan): boolean =>
  tagOf(tags, 'error') === 'true' || tagOf(tags, 'otel.status_code') === 'ERROR'
