/** Clusters, which the specification calls environments. */
export const en = {
  'permission.resource_cluster_view': 'See clusters',
  'clusters-name-taken': 'There is a cluster named {name} already. Choose another name',
  'clusters-in-use': 'The cluster {name} has stacks: {stacks}. Delete them first',
  'clusters-sandbox-kept': 'The sandbox belongs to the installation. Start it with GANTRY_SANDBOX=off to do without',
  'clusters-rights-missing':
    'The credentials lack rights in the cluster: {rights}. Give them to the account of the kubeconfig, or use another one',
  'clusters-shared':
    'Several teams use this cluster, so that only an administrator changes its hosts and its storage. Ask one, or for a cluster of your own',
  'clusters-one-way': 'Give one way in: a kubeconfig, a server with its token, or the agent',
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
