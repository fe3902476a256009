import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Right, Rule } from '../../../adapters/kube/operations/reviews.ts'
import type { Resource } from '../../../adapters/kube/resources.ts'

/** Rights that the product uses for one purpose. The cluster role for its account is generated from the same rows. */
interface Purpose {
  for: PhraseKey
  /** Needed to join the cluster; any other missing right disables only its feature. */
  needed: boolean
  /** Empty for the core group. */
  group: string
  /** `pods/log` is the logs of pods. */
  resources: readonly string[]
  verbs: readonly string[]
}

const read = ['get', 'list', 'watch']
const keep = [...read, 'create', 'patch', 'delete']
const write = [...keep, 'update', 'deletecollection']

const use = (
  purpose: PhraseKey,
  needed: boolean,
  ...rows: readonly (readonly [group: string, resources: readonly string[], verbs: readonly string[]])[]
): Purpose[] => rows.map(([group, resources, verbs]) => ({ for: purpose, needed, group, resources, verbs }))

const rbac = 'rbac.authorization.k8s.io'

/**
 * Includes verbs that the product does not use itself: the API server lets an account grant others only what it has.
 */
export const uses: readonly Purpose[] = [
  ...use(
    'clusters-right-stacks',
    true,
    ['', ['namespaces', 'resourcequotas'], keep],
    ['networking.k8s.io', ['networkpolicies'], keep],
  ),
  ...use(
    'clusters-right-teams',
    true,
    [rbac, ['roles', 'rolebindings'], keep],
    ['', ['users', 'groups'], ['impersonate']],
  ),
  ...use(
    'clusters-right-services',
    true,
    ['apps', ['deployments', 'deployments/scale', 'statefulsets', 'replicasets'], write],
    ['', ['services', 'secrets', 'configmaps'], write],
  ),
  ...use(
    'clusters-right-running',
    true,
    ['', ['pods'], [...read, 'delete']],
    ['', ['pods/log', 'events', 'endpoints', 'nodes'], read],
    ['', ['pods/exec'], ['get', 'create']],
    ['apps', ['daemonsets'], read],
    ['batch', ['jobs'], read],
  ),
  ...use(
    'clusters-right-workloads',
    false,
    ['apps', ['daemonsets'], write],
    ['batch', ['jobs', 'cronjobs'], write],
    ['policy', ['poddisruptionbudgets'], write],
    ['', ['persistentvolumeclaims'], write],
  ),
  ...use('clusters-right-usage', false, ['metrics.k8s.io', ['nodes', 'pods'], ['get', 'list']]),
  ...use('clusters-right-hosts', false, ['', ['nodes'], ['patch']]),
  ...use(
    'clusters-right-drain',
    false,
    ['', ['pods/eviction'], ['create']],
    ['policy', ['poddisruptionbudgets'], read],
  ),
  ...use('clusters-right-host-delete', false, ['', ['nodes'], ['delete']]),
  ...use('clusters-right-host-logs', false, ['', ['nodes/proxy'], ['get']]),
  ...use(
    'clusters-right-storage',
    false,
    ['', ['persistentvolumes', 'persistentvolumeclaims'], keep],
    ['storage.k8s.io', ['storageclasses'], keep],
  ),
  ...use(
    'clusters-right-charts',
    false,
    ['', ['serviceaccounts', 'limitranges'], keep],
    ['', ['pods'], ['create', 'patch']],
    ['autoscaling', ['horizontalpodautoscalers'], keep],
  ),
  ...use('clusters-right-ingress', false, ['networking.k8s.io', ['ingressclasses', 'ingresses'], keep]),
  ...use(
    'clusters-right-outward',
    false,
    ['networking.k8s.io', ['ingresses'], write],
    ['discovery.k8s.io', ['endpointslices'], write],
    ['gateway.networking.k8s.io', ['gateways', 'httproutes'], write],
    ['gateway.networking.k8s.io', ['gatewayclasses'], read],
    ['networking.k8s.io', ['servicecidrs'], read],
  ),
  ...use(
    'clusters-right-kubeconfigs',
    false,
    ['', ['serviceaccounts'], keep],
    ['', ['serviceaccounts/token'], ['create']],
  ),
  ...use(
    'clusters-right-logs',
    false,
    ['', ['serviceaccounts'], keep],
    [rbac, ['clusterroles', 'clusterrolebindings'], keep],
    ['apps', ['daemonsets'], write],
  ),
]

interface RightsQuestion {
  use: Purpose
  resource: string
  verb: string
}

const perVerb: readonly RightsQuestion[] = uses.flatMap((one) =>
  one.resources.flatMap((resource) => one.verbs.map((verb) => ({ use: one, resource, verb }))),
)

const rightOf = (group: string, name: string, verb: string): Right => {
  const [plural = '', subresource] = name.split('/')
  const resource: Resource = { group, version: '*', kind: '', plural, namespaced: true }
  return { verb, resource, ...(subresource === undefined ? {} : { subresource }) }
}

/** Held by cluster administrators: one check instead of a hundred. */
export const everything: Right = rightOf('*', '*', '*')

/** The rights to check in a cluster, in the order that `summarizeRights` expects. */
export const questions: readonly Right[] = perVerb.map(({ use: { group }, resource, verb }) =>
  rightOf(group, resource, verb),
)

/** Those rights without which a cluster cannot be joined. */
export const neededQuestions: readonly Right[] = questions.filter((_, at) => perVerb[at]?.use.needed)

const has = (list: readonly string[], wanted: string): boolean => list.includes('*') || list.includes(wanted)

/** Evaluates a rule like Kubernetes' role-based access control. */
export const grants = (
  { verbs, groups, resources }: Rule,
  { verb, resource: { group, plural }, subresource }: Right,
): boolean =>
  has(verbs, verb) &&
  has(groups, group) &&
  (subresource === undefined
    ? has(resources, plural)
    : has(resources, `${plural}/${subresource}`) || resources.includes(`*/${subresource}`))

export interface ToldRight {
  right: string
  for: PhraseKey
  allowed: boolean
  needed: boolean
}

/** In kubectl's notation: `get, list deployments.apps`. */
const spelt = ({ group }: Purpose, resource: string, verbs: readonly string[]): string => {
  const [plural = '', sub] = resource.split('/')
  return `${verbs.join(', ')} ${plural}${group === '' ? '' : `.${group}`}${sub === undefined ? '' : `/${sub}`}`
}

/** Groups the answers to `questions` by kind of object, allowed and missing rights apart. */
export function summarizeRights(answers: readonly boolean[]): ToldRight[] {
  const verbsOf = (of: Purpose, name: string, allowed: boolean) =>
    perVerb.flatMap(({ use, resource, verb }, at) =>
      use === of && resource === name && (answers[at] ?? false) === allowed ? [verb] : [],
    )
  return uses.flatMap((one) =>
    one.resources.flatMap((resource) =>
      [true, false].flatMap((allowed) => {
        const verbs = verbsOf(one, resource, allowed)
        return verbs.length === 0
          ? []
          : [{ right: spelt(one, resource, verbs), for: one.for, allowed, needed: one.needed }]
      }),
    ),
  )
}

/** The right to read the identity, tested by reading it: some authorizers' answers differ from what they allow. */
export const identityRight = (allowed: boolean): ToldRight => ({
  right: 'get namespaces/kube-system',
  for: 'clusters-right-identity',
  allowed,
  needed: true,
})

/** Required rights that are missing. */
export const missingOf = <R extends Pick<ToldRight, 'allowed' | 'needed'>>(rights: readonly R[]): R[] =>
  rights.filter(({ allowed, needed }) => needed && !allowed)

/** The rules of a cluster role that allows all of them. */
export const roleRules = (): { apiGroups: string[]; resources: string[]; verbs: string[] }[] =>
  uses.map(({ group, resources, verbs }) => ({ apiGroups: [group], resources: [...resources], verbs: [...verbs] }))
