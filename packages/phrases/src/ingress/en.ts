/** Ingress groups of a cluster. */
export const en = {
  'ingress-ui-tab': 'Ingress',
  'ingress-ui-groups': 'Ingress groups',
  'ingress-ui-groups-about':
    'The ingress controllers of this cluster, and the hosts that take traffic for them. Use a host’s menu to turn its ingress traffic on or off.',
  'ingress-ui-name': 'Name',
  'ingress-ui-controller': 'Controller',
  'ingress-ui-first': 'default group',
  'ingress-ui-hosts': 'Hosts taking traffic',
  'ingress-ui-hosts-none': 'No hosts yet',
  'ingress-ui-age': 'Age',
  'ingress-ui-none': 'No ingress groups',
  'ingress-ui-none-memo':
    'Ingress groups come from an ingress controller: install one in the cluster with its IngressClass. Then choose “Take ingress traffic” in the menu of each host that should take traffic.',
}
