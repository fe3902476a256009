import { apiVersionOf, kinds, type Kind } from '../objects/kinds.ts'

const groups = [...new Set(kinds.map((kind) => kind.group))].filter((group) => group !== '')
const more = ['authentication.k8s.io/v1', 'authorization.k8s.io/v1', 'metrics.k8s.io/v1beta1']

const groupOf = (name: string, version: string): Record<string, unknown> => {
  const entry = { groupVersion: `${name}/${version}`, version }
  return { name, versions: [entry], preferredVersion: entry }
}
const allGroups = (): Record<string, unknown>[] => [
  ...groups.map((name) => groupOf(name, kinds.find((kind) => kind.group === name)?.version ?? 'v1')),
  ...more.map((text) => groupOf(text.split('/')[0] ?? '', text.split('/')[1] ?? '')),
]

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const subresourceVerbs: Record<string, string[]> = {
  log: ['get'],
  exec: ['create', 'get'],
  proxy: ['create', 'delete', 'get', 'patch', 'update'],
  eviction: ['create'],
  binding: ['create'],
  finalize: ['update'],
  token: ['create'],
}
const subresourceKind = (kind: Kind, name: string): Record<string, string> => {
  if (name === 'scale') return { group: 'autoscaling', version: 'v1', kind: 'Scale' }
  if (name === 'token') return { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }
  if (name === 'eviction') return { group: 'policy', version: 'v1', kind: 'Eviction' }
  if (name === 'exec') return { kind: 'PodExecOptions' }
  if (name === 'proxy') return { kind: `${kind.kind}ProxyOptions` }
  return { kind: name === 'binding' ? 'Binding' : kind.kind }
}

function resources(of: Kind[]): Record<string, unknown>[] {
  return of.flatMap((kind) => [
    {
      name: kind.plural,
      singularName: kind.singular,
      namespaced: kind.namespaced,
      kind: kind.kind,
      verbs: kind.resource === 'namespaces' ? verbs.filter((verb) => verb !== 'deletecollection') : verbs,
      ...(kind.short.length > 0 ? { shortNames: kind.short } : {}),
      ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
    },
    ...kind.subresources.map((name) => ({
      name: `${kind.plural}/${name}`,
      singularName: '',
      namespaced: kind.namespaced,
      ...subresourceKind(kind, name),
      verbs: subresourceVerbs[name] ?? ['get', 'patch', 'update'],
    })),
  ])
}

const review = (kind: string): Record<string, unknown> => ({
  name: `${kind.toLowerCase()}s`,
  singularName: kind.toLowerCase(),
  namespaced: kind.startsWith('Local'),
  kind,
  verbs: ['create'],
})

const other: Record<string, Record<string, unknown>[]> = {
  'authentication.k8s.io/v1': [review('SelfSubjectReview')],
  'authorization.k8s.io/v1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ].map(review),
  'metrics.k8s.io/v1beta1': [
    { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] },
    { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
  ],
}

/** `simulated` does not exist in the real answer: it tells clients that this cluster is simulated. */
export const version = {
  major: '1',
  minor: '34',
  gitVersion: 'v1.34.4+gantry-sandbox',
  gitCommit: '',
  gitTreeState: 'clean',
  goVersion: 'none (simulated by Gantry)',
  compiler: 'none',
  platform: 'simulated/none',
}

/** The discovery documents under /version, /api and /apis. */
export function discovery(pathname: string): unknown {
  const path = pathname.replace(/\/$/, '')
  if (path === '/version') return version
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: allGroups() }
  const group = /^\/apis\/([^/]+)$/.exec(path)?.[1]
  if (group !== undefined) {
    const found = allGroups().find(({ name }) => name === group)
    return found ? { kind: 'APIGroup', apiVersion: 'v1', ...found } : undefined
  }
  const groupVersion = path === '/api/v1' ? 'v1' : /^\/apis\/([^/]+\/[^/]+)$/.exec(path)?.[1]
  if (groupVersion === undefined) return undefined
  const of = kinds.filter((kind) => apiVersionOf(kind) === groupVersion)
  const listed = other[groupVersion] ?? (of.length > 0 ? resources(of) : undefined)
  return listed && { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: listed }
}
