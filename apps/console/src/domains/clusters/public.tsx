export { UsageBars } from './capacity.tsx'
export { eventColumns } from './event-columns.tsx'
export { followed } from './follow.ts'
export { ClusterName, ClusterState } from './health.tsx'
