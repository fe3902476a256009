import type { JaegerSpan, Named } from '../../../adapters/jaeger/answers.ts'

/** The spans that a team may read. */
export interface Scope {
  /** Namespaces of the team's stacks on this cluster. */
  own: ReadonlySet<string>
  /** The cluster's name in the server; empty if the server knows no other cluster. */
  cluster: string
}

/** The value of a tag; undefined if the tag occurs with different values. */
export function tagOf(tags: readonly Named[], key: string): string | undefined {
  const values = new Set(tags.flatMap((tag) => (tag.key === key ? [tag.value] : [])))
  return values.size === 1 ? [...values][0] : undefined
}

/** Istio's name of a service: name and namespace, both without dots. */
const istioName = /^([a-z0-9-]+)\.([a-z0-9-]+)$/

export const isIn = (service: string, namespace: string): boolean => istioName.exec(service)?.[2] === namespace

/** A service’s name without the namespace that Istio appends. */
export const plainName = (service: string): string => istioName.exec(service)?.[1] ?? service

/** A span’s namespace on this cluster; undefined if unknown. The collector’s tag takes precedence over the name. */
export function namespaceOf({ service, process, tags }: JaegerSpan, cluster: string): string | undefined {
  if (cluster !== '') {
    const where = tagOf(process, 'k8s.cluster.name') ?? tagOf(tags, 'istio.cluster_id')
    if (where !== cluster) return undefined
  }
  if (process.some(({ key }) => key === 'k8s.namespace.name')) return tagOf(process, 'k8s.namespace.name')
  return istioName.exec(service)?.[2]
}

/** The same; undefined also if it is not the team's. */
export function ownNamespaceOf(span: JaegerSpan, { own, cluster }: Scope): string | undefined {
  const namespace = namespaceOf(span, cluster)
  return namespace !== undefined && own.has(namespace) ? namespace : undefined
}

export const hasFailed = ({ tags }: JaegerSpan): boolean =>
  tagOf(tags, 'error') === 'true' || tagOf(tags, 'otel.status_code') === 'ERROR'
