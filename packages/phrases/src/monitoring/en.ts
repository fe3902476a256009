/** Metrics of clusters, hosts, services and containers. */
export const en = {
  'monitoring-url-needed': 'Enter the address of the Prometheus',
  'monitoring-token-characters': 'A token has no spaces and no characters outside of ASCII',
  'monitoring-username-characters': 'A user name has no colon and no line break',
  'monitoring-one-credential': 'Enter a token or a user name with its password, not both',
  'monitoring-secret-again':
    'The address or the user changed, so the stored password and token are not sent there. Enter them again',
  'monitoring-service-needed': 'This is a metric of one service. Say which',
  'monitoring-cluster-only':
    'This is no metric of a cluster, its hosts or its namespaces. Look at it on the page of the service',
  'monitoring-no-stacks': 'This team has no stack on this cluster yet. Metrics come with the first one',
  'monitoring-none-matching':
    'The Prometheus of this cluster answers, but has no figures for this. It needs the metrics of node exporter, kubelet and cAdvisor as kube-prometheus gathers them',
  'monitoring-too-many': 'More than this chart shows. Choose one host, service or container',
  'monitoring-shortened': 'A chart spans at most {days} days; this one begins later than asked',
  'monitoring-kept':
    'Without Prometheus, figures are kept for {days} days. For longer ones an administrator can connect a Prometheus in the metrics settings of the cluster',
  'monitoring-not-sampled':
    'Network and disk are known with Prometheus only. An administrator can connect one in the metrics settings of the cluster',
  'monitoring-source-slow': 'The source of metrics needs too long for this. Choose a shorter time, or try again later',
  'monitoring-source-down':
    'The source of metrics does not answer as it should. Administrators see why; charts come back by themselves',
  'monitoring-soon': 'Nothing is measured yet. The first figures come within two minutes',
  'monitoring-no-server':
    'This cluster does not measure: it has no metrics server (metrics.k8s.io). Install one in the cluster, or connect a Prometheus in its metrics settings',
  'monitoring-left-out':
    'This cluster has more containers than are measured without Prometheus, and this one is not among them. Have it measured first, or connect a Prometheus',
  'monitoring-old': 'Nothing was measured after {time}. {reason}',
  'monitoring-stopped': 'Sampling stands still. It goes on by itself once the server takes up work again',
} as const
