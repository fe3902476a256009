/** The tab of a cluster's ingress groups. */
export const en = {
  'ingress-ui-tab': 'Ingress',
  'ingress-ui-groups': 'Ingress groups',
  'ingress-ui-groups-about':
    'The ingress controllers of this cluster, and the hosts that take traffic for them. A host takes it when that is chosen in its menu.',
  'ingress-ui-name': 'Name',
  'ingress-ui-controller': 'Controller',
  'ingress-ui-first': 'used if none is named',
  'ingress-ui-hosts': 'Takes traffic on',
  'ingress-ui-hosts-none': 'No host yet',
  'ingress-ui-age': 'Age',
  'ingress-ui-none': 'No ingress groups',
  'ingress-ui-none-memo':
    'An ingress controller brings one: install it in the cluster with its IngressClass. Then choose “Take ingress traffic” in the menu of each host that is to take it.',
} as const
