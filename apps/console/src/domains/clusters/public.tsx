export { UsageBars } from './hosts/capacity.tsx'
export { eventColumns } from './pods/event-columns.tsx'
export { followed } from './pods/follow.ts'
export { ClusterName, ClusterState } from './environments/health.tsx'
