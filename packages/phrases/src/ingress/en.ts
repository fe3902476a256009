/** Ingress groups of a cluster. */
export const en = {
  'ingress-ui-tab': 'Ingress',
  'ingress-ui-groups': 'Ingress groups',
  'ingress-ui-groups-about':
    'The ingress controllers of this cluster and the classes that name them, and the hosts that take traffic for them. Use a host’s menu to turn its ingress traffic on or off.',
  'ingress-ui-name': 'Name',
  'ingress-ui-way': 'Class',
  'ingress-ui-controller': 'Controller',
  'ingress-ui-first': 'default group',
  'ingress-ui-hosts': 'Hosts taking traffic',
  'ingress-ui-hosts-none': 'No hosts yet',
  'ingress-ui-age': 'Age',
  'ingress-ui-none': 'No ingress groups',
  'ingress-ui-create': 'Add ingress group',
  'ingress-ui-name-help': 'What services choose. Lowercase letters, digits, dots and hyphens, at most 63 characters.',
  'ingress-ui-controller-help':
    'The controller that serves this group, as it calls itself, for example traefik.io/ingress-controller. Install the controller first: adding the group does not start it.',
  'ingress-ui-default-set': 'Default group',
  'ingress-ui-default-help': 'For services and ingresses that choose no group.',
  'ingress-ui-goes-group': 'The group {name}; its controller stays',
  'ingress-ui-remove-title': 'Delete the ingress group {name}?',
  'ingress-ui-remove-text': 'Services can no longer choose it. This is refused while an ingress uses it.',
  'ingress-ui-remove-default': 'It is the default group: services that choose none will have no entrance.',
  'ingress-ui-with-controller': 'A GatewayClass comes with its controller: delete it there',
  'ingress-controller-format':
    'Enter the controller as a domain, a slash and a path, such as traefik.io/ingress-controller (at most 250 characters)',
  'ingress-group-exists': 'An ingress group named {name} already exists. Choose another name.',
  'ingress-group-default-taken':
    '{name} is the default group already, and a cluster with two refuses services that choose none. Add this one without the mark, or delete {name} first.',
  'ingress-group-in-use':
    'Ingresses use the group {name} ({count}): {ingresses}. Delete them or move them to another group first.',
  'ingress-group-gateway':
    '{name} is a GatewayClass, which comes with its controller. Delete it together with the controller.',
  'ingress-group-missing': 'The ingress group {name} no longer exists in this cluster',
  'ingress-ui-none-memo':
    'Ingress groups belong to an ingress controller: install one in the cluster, usually with its GatewayClass or IngressClass, or add a group for it here. Then choose “Take ingress traffic” in the menu of each host that should take traffic.',
}
