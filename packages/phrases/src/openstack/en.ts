/** OpenStack connections and zones */
export const en = {
  'openstack-name-format':
    'The name has at most 64 lower case letters and digits, with single dots or dashes between them',
  'openstack-username-required': 'Enter the user name',
  'openstack-password-required': 'Enter the password',
  'openstack-project-required': 'Enter the name of the project',
  'zones-project-required': 'Choose a project',
  'zones-security-groups-required': 'Choose at least one security group',
  'zones-pod-subnet-required': 'Choose the subnet of the pods',
  'zones-service-subnet-required': 'Choose the subnet of the services',
  'zones-worker-subnet-required': 'Choose the subnet of the worker nodes',
  'zones-ip-order': 'The first address lies before the last',
  'zones-link-iface': 'The interface has at most 15 letters, digits, dots, dashes or underscores',
  'zones-driver': 'The driver has letters, digits, dots, dashes and underscores',

  // What OpenStack answers, or does not
  'openstack-password-refused':
    '{host} refuses the user {user} of the domain {domain}, or the password. Check the three; whether the user may sign in, OpenStack does not say.',
  'openstack-project-refused':
    'The user may not use a project {project} in the domain {domain}, or there is none. Projects that it may use: {projects}.',
  'openstack-project-none':
    'The user may not use a project {project} in the domain {domain}, nor any other. Give it a role in the project.',
  'openstack-domain-refused':
    'The user may use a project {project}, but not in a domain {domain}. Enter the domain that the project is in.',
  'openstack-not-keystone':
    'What answers at {host} is not Keystone (identity API v3). Enter its address, for example https://keystone.example.org:5000/v3.',
  'openstack-trouble': 'OpenStack at {host} cannot answer at present (status {status}). Try again later.',
  'openstack-no-network':
    "Keystone's catalogue names no public address of a network service (Neutron). Have it added to the catalogue.",
  'openstack-network-blocked':
    "Keystone's catalogue names {host} for the network service, which cannot be used: it lies on this machine or in a reserved network. Whoever runs Gantry can open it with GANTRY_OUTBOUND_ALLOW.",
  'openstack-network-forbidden':
    'The network service at {host} does not let this user read. Give the user a role in the project.',
  'openstack-name-taken': 'This environment already has an OpenStack named {name}. Choose another name',
  'openstack-removing': 'The OpenStack {name} is being deleted. Delete it again to go on, or choose another',

  // What a zone is made from
  'zones-project-unknown':
    'OpenStack has no such project, or the user of the connection may not use it. Choose another',
  'zones-subnet-unknown': 'The project has no such IPv4 subnet. Choose another',
  'zones-security-group-unknown': 'The project has no security group {id}. Choose others',
  'zones-reserved-outside': '{start} to {end} lies outside of the subnet of the pods ({cidr})',
  'zones-check-failed': 'The zone cannot be saved: {problem}',
  'zones-in-cluster':
    'The cluster already has a ConfigMap or a Secret {name} in {namespace}, of somebody else or of a zone of another environment. Choose another name, or delete it there.',
  'zones-gone': 'The zone or its OpenStack was deleted while it was written. Nothing of it is left in the cluster.',
} as const
