/** Clusters, which the specification calls environments. */
export const en = {
  'permission.resource_cluster_view': 'See clusters',
  'clusters-name-taken': 'There is a cluster named {name} already. Choose another name',
  'clusters-in-use': 'The cluster {name} has stacks: {stacks}. Delete them first',
  'clusters-sandbox-kept': 'The sandbox belongs to the installation. Start it with GANTRY_SANDBOX=off to do without',
  'clusters-rights-missing':
    'The credentials lack rights in the cluster: {rights}. Give them to this account, or use another one',
  'clusters-shared':
    'Several teams use this cluster, so that only an administrator changes what they share: its hosts, storage, OpenStack and zones. Ask one, or for a cluster of your own',
  'clusters-one-way': 'Give one way in: a kubeconfig, a server with its token, or the agent',
  'clusters-ca-invalid':
    'The authority’s certificate cannot be read. It is PEM: from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----',
  'clusters-credentials-refused':
    'The cluster {server} answers and refuses these credentials: the token has run out, or it is another cluster’s. Make a new one',
  'clusters-sealed':
    'The stored credentials of the cluster {name} cannot be opened: GANTRY_SECRET_KEY is not the key that they were saved under. Start with that key, or give the credentials of the cluster again',
  'clusters-health-unreachable': 'The cluster does not answer at present. Administrators see why',
  'clusters-health-credentials':
    'The cluster refuses the credentials that are kept for it. An administrator has to replace them',
  'clusters-right-stacks': 'Stacks: a namespace each, with its quota and its network rules',
  'clusters-right-teams': 'Teams apart: roles in their namespaces, and acting in their members’ names',
  'clusters-right-services': 'Services: workloads, addresses, configuration and secrets',
  'clusters-right-running': 'What runs: pods, logs, terminals, events, hosts',
  'clusters-right-usage': 'What hosts and pods use at present',
  'clusters-right-hosts': 'Hosts: cordon, labels, taints, hosts of one team',
  'clusters-right-drain': 'Maintenance of hosts: pods move away within their disruption budgets',
  'clusters-right-host-delete': 'Taking hosts out of the cluster',
  'clusters-right-host-logs': 'Logs of hosts',
  'clusters-right-storage': 'Volumes, claims and storage classes',
  'clusters-right-ingress': 'Ingress groups and rules',
  'host-name': 'This is no name of a host',
  'label-key':
    'A key has at most 63 letters, digits, -, _ or dots, begins and ends with a letter or digit, and may follow a domain and a slash',
  'label-value': 'A value has at most 63 letters, digits, -, _ or dots, and begins and ends with a letter or digit',
  'range-order': 'The time range is not valid: the start lies before the end, both in milliseconds since 1970',
  'range-step': 'The step is a number of seconds from 1 to 86,400',
  'storage-server-required': 'Enter the address of the storage server',
  'storage-path-root': 'Enter a path other than /, beginning with /',
  'storage-capacity': 'The capacity is more than 0 GiB and at most 1,000,000',
  'storage-access-modes': 'Choose at least one access mode',
  'storage-provisioner': 'Enter the provisioner as its driver names it: letters, digits, dots, slashes and dashes',
} as const
