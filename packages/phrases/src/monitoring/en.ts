/** Metrics of clusters, hosts, services and containers. */
export const en = {
  // Refusals, and reasons for an empty chart
  'monitoring-url-needed': 'Enter the address of Prometheus',
  'monitoring-token-characters': 'A token must not contain spaces or characters other than ASCII',
  'monitoring-username-characters': 'A username must not contain colons or line breaks',
  'monitoring-one-credential': 'Enter either a token, or a username with its password',
  'monitoring-secret-again':
    'The address or the username has changed. Enter the password or the token again: the stored one is not sent there.',
  'monitoring-service-needed': 'This is a metric of a single service. Specify the service.',
  'monitoring-cluster-only':
    'This is not a metric of a cluster, its hosts or its namespaces. See it on the page of the service.',
  'monitoring-no-stacks': 'This team has no stacks on this cluster yet. Metrics appear once the first one is created.',
  'monitoring-none-matching':
    'The Prometheus of this cluster has no data for this metric. It must collect the metrics of node exporter, kubelet and cAdvisor in the way that kube-prometheus does.',
  'monitoring-too-many': 'There is more data than the chart can show. Choose a single host, service or container.',
  'monitoring-shortened': 'A chart covers at most {days} {days:day|days}, so this one starts later than requested',
  'monitoring-kept':
    'Without Prometheus, data is only kept for {days} {days:day|days}. To keep it longer, an administrator can connect a Prometheus in the metrics settings of the cluster.',
  'monitoring-not-sampled':
    'Network and disk metrics require Prometheus. An administrator can connect one in the metrics settings of the cluster.',
  'monitoring-source-slow':
    'The metrics source takes too long for this query. Choose a shorter time range, or try again later.',
  'monitoring-source-down':
    'The metrics source is not responding properly. Administrators can see the reason. Charts return automatically once it recovers.',
  'monitoring-soon': 'No data yet. The first data arrives within two minutes.',
  'monitoring-no-server':
    'This cluster provides no metrics: it has no metrics server (metrics.k8s.io). Install one in the cluster, or connect a Prometheus in its metrics settings.',
  'monitoring-left-out':
    'This cluster has more containers than can be monitored without Prometheus, and this one is not included. Prioritise its monitoring, or connect a Prometheus.',
  'monitoring-old': 'There is no data after {time}. {reason}',
  'monitoring-stopped': 'Sampling has stopped. It continues automatically once the server’s background jobs run again.',
  'range-order': 'The time range is not valid: the start must be before the end, both in milliseconds since 1970',
  'range-step': 'The step must be a number of seconds from 1 to 86,400',

  // Problems in answers of a Prometheus, or without an answer
  'prometheus-credentials':
    'The Prometheus at {host} rejected the credentials. An administrator can enter others in the metrics settings of the cluster.',
  'prometheus-forbidden':
    'The Prometheus at {host} does not allow queries with these credentials. Ask its administrator for read permission.',
  'prometheus-not-one':
    'The server at {host} has no Prometheus query API. Check the address, including the path under which Prometheus is available.',
  'prometheus-refused': 'The Prometheus at {host} rejected the query: {reason}',
  'prometheus-slow':
    'The Prometheus at {host} took too long for this query. Choose a shorter time range, or try again later.',
  'prometheus-error': 'The Prometheus at {host} reported an error (status {status}): {reason}. Ask its administrator.',
  'prometheus-resting':
    'The Prometheus at {host} has failed several times in a row, so requests to it are paused for {seconds} {seconds:second|seconds}. Charts return automatically once it recovers.',

  // Charts
  'monitoring-ui-tab': 'Metrics',
  'monitoring-ui-range': 'Time range',
  'monitoring-ui-range-15m': 'Last 15 minutes',
  'monitoring-ui-range-1h': 'Last hour',
  'monitoring-ui-last-hour': 'in the last hour',
  'monitoring-ui-range-6h': 'Last 6 hours',
  'monitoring-ui-range-24h': 'Last 24 hours',
  'monitoring-ui-range-7d': 'Last 7 days',
  'monitoring-ui-range-custom': 'Custom range',
  'monitoring-ui-range-incomplete': 'Enter a start before the end. If the end is empty, the range ends now.',
  'monitoring-ui-from': 'From',
  'monitoring-ui-until': 'To',
  'monitoring-ui-nothing': 'No data in this time range',
  'monitoring-ui-nothing-memo':
    'Choose another time range. If monitoring has only just started, come back in a few minutes.',
  'monitoring-ui-truncated': 'Only the first {count} are shown',
  'monitoring-ui-from-prometheus': 'From the Prometheus of the cluster',
  'monitoring-ui-from-sampled':
    'Sampled from the metrics server of the cluster: CPU and memory, every minute for a day and every five minutes for 8 days',
  'monitoring-ui-cores': '{value} cores',
  'monitoring-ui-per-second': '{value}/s',
  'monitoring-ui-container-about': 'Resource usage of this container',
  'monitoring-ui-of': 'Metrics of {name}',
  'monitoring-ui-measure-first': 'Prioritise monitoring',
  'monitoring-ui-measured-first': 'The container is monitored from the next minute on',
  'monitoring-ui-source': 'Metrics source',
  'monitoring-ui-source-of': 'Metrics source of {name}',
  'monitoring-ui-source-kind': 'Source',
  'monitoring-ui-source-sampled': 'Sampled by the platform',
  'monitoring-ui-source-prometheus': 'Prometheus',
  'monitoring-ui-source-url': 'Address',
  'monitoring-ui-source-url-help':
    'Including the path under which Prometheus is available. The connection is checked before it is saved.',
  'monitoring-ui-source-username': 'Username',
  'monitoring-ui-source-password': 'Password',
  'monitoring-ui-source-token': 'Bearer token',
  'monitoring-ui-source-token-help': 'Instead of a username and password',
  'monitoring-ui-source-cluster': 'Value of the cluster label',
  'monitoring-ui-source-cluster-help': 'Only needed if the Prometheus collects metrics of several clusters',
  'monitoring-ui-source-check': 'Check and save',
  'monitoring-ui-cluster_cpu_usage': 'Cluster CPU',
  'monitoring-ui-cluster_memory_usage': 'Cluster memory',
  'monitoring-ui-cluster_cpu_percent': 'CPU usage',
  'monitoring-ui-cluster_memory_percent': 'Memory usage',
  'monitoring-ui-cluster_pods': 'Pods',
  'monitoring-ui-host_cpu_usage': 'CPU by host',
  'monitoring-ui-host_memory_usage': 'Memory by host',
  'monitoring-ui-host_cpu_percent': 'CPU usage by host',
  'monitoring-ui-host_memory_percent': 'Memory usage by host',
  'monitoring-ui-host_disk_percent': 'Fullest disk by host',
  'monitoring-ui-host_network_receive': 'Network received by host',
  'monitoring-ui-host_network_transmit': 'Network sent by host',
  'monitoring-ui-namespace_cpu_usage': 'CPU by namespace',
  'monitoring-ui-namespace_memory_usage': 'Memory by namespace',
  'monitoring-ui-service_cpu_usage': 'Service CPU',
  'monitoring-ui-service_memory_usage': 'Service memory',
  'monitoring-ui-container_cpu_usage': 'CPU by container',
  'monitoring-ui-container_memory_usage': 'Memory by container',
  'monitoring-ui-container_network_receive': 'Network received by pod',
  'monitoring-ui-container_network_transmit': 'Network sent by pod',
  'monitoring-ui-container_disk_read': 'Disk read by container',
  'monitoring-ui-container_disk_write': 'Disk written by container',
}
