export { ClusterMetrics } from './cluster-metrics.tsx'
export { ClusterSparklines } from './cluster-sparklines.tsx'
export { HostMetrics } from './host-metrics.tsx'
export { ServiceMetrics } from './service-metrics.tsx'
