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
} as const
