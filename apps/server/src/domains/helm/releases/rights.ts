import type { V1Role, V1RoleBinding } from '@kubernetes/client-node'
import { isKube } from '../../../adapters/kube/errors.ts'
import { labels, managed } from '../../../adapters/kube/labels.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type NamespaceOf, teamRoleBinding, workloadsRole } from '../../stacks/public.ts'
import { teamKind } from './kinds.ts'
import { defaultLimits } from './manifest.ts'

const keep = ['get', 'list', 'watch', 'create', 'patch', 'delete']

const own = ({ teamId, stackUuid }: NamespaceOf) => ({
  ...managed,
  [labels.team]: String(teamId),
  [labels.stack]: stackUuid,
})

/** Rights that charts need beyond services. The API server lets nobody grant rights that they lack. */
const chartsRole = (of: NamespaceOf): Wire<V1Role> => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'gantry-team-charts', namespace: of.namespace, labels: own(of) },
  rules: [
    { apiGroups: [''], resources: ['serviceaccounts', 'pods'], verbs: keep },
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: keep },
    { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'], verbs: keep },
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: keep },
  ],
})

/** Pods of charts often name no limits, which a namespace with a quota requires. */
const limitRange = (of: NamespaceOf) => ({
  metadata: { name: 'gantry-charts', namespace: of.namespace, labels: own(of) },
  spec: {
    limits: [{ type: 'Container', default: defaultLimits, defaultRequest: { cpu: '10m', memory: '32Mi' } }],
  },
})

const chartPods = teamKind({ apiVersion: 'v1', kind: 'ServiceAccount' })

/** Grants the team what charts need in the namespace. True once the cluster's authorizer knows, a moment later. */
export async function grantCharts({ kube }: Cluster, as: Cluster['kube'], of: NamespaceOf): Promise<boolean> {
  const { namespace } = of
  const [knows] = chartPods ? await as.can([{ verb: 'patch', resource: chartPods, namespace }]) : []
  const ranged = await kube.find(kinds.limitRanges, { namespace, name: 'gantry-charts' }).catch((error: unknown) => {
    if (isKube(error, 'forbidden')) throw lacking()
    throw error
  })
  if (knows === true && ranged !== undefined) return true
  try {
    await kube.apply(kinds.limitRanges, limitRange(of))
    for (const role of [workloadsRole(of), chartsRole(of)]) {
      await kube.apply(kinds.roles, role)
      const binding: Wire<V1RoleBinding> = teamRoleBinding(of, role)
      await kube.apply(kinds.roleBindings, binding)
    }
  } catch (error) {
    if (isKube(error, 'forbidden')) throw lacking()
    throw error
  }
  return knows === true
}

const lacking = () => new Fault('conflict', 'helm-cluster-rights')
