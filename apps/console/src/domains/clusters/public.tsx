export { UsageBars } from './capacity.tsx'
export { ClusterName, ClusterState } from './health.tsx'
