import type { Pod } from '@gantry/contract/clusters/pods'
import { to, type To } from '../../../ui/link.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { kubernetesTone } from '../../../ui/feedback/states.ts'

/** The status of `kubectl get pods`, in the cluster's own words, that is in English. */
export const PodStatus = ({ pod }: { pod: Pod }) => (
  <span lang="en">
    <StateBadge state={pod.status} tone={kubernetesTone(pod.status, pod.ready >= pod.containers)} text={pod.status} />
  </span>
)

/** The page with a pod's log: that of its service. */
export function logOf({ name, container, stack }: Pod, clusterId: string): To | undefined {
  if (!stack?.service) return undefined
  return to(
    'containers',
    {
      team_id: stack.teamId,
      env_id: clusterId,
      stack_id: stack.id,
      stack_uuid: stack.uuid,
      stack_name: stack.name,
      service_id: stack.service.id,
      service_name: stack.service.name,
      service_type: 'business',
      from: 'appcenter',
    },
    { tab: 'log', pod: `${name}/${container}` },
  )
}

/** The events of a pod, which explain its state. */
export const eventsOf = ({ name, namespace }: Pod, clusterId: string): To =>
  to('cluster-detail', { env_uuid: clusterId }, { tab: 'events', keyword: name, namespace })
