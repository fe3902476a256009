/** OpenStack connections, and the zones made from them. */
export const en = {
  // Refusals
  'openstack-name-format':
    'The name has at most 64 lowercase letters and digits, with single dots or hyphens between them',
  'openstack-username-required': 'Enter the username',
  'openstack-password-required': 'Enter the password',
  'openstack-project-required': 'Enter the name of the project',
  'zones-project-required': 'Choose a project',
  'zones-security-groups-required': 'Choose at least one security group',
  'zones-pod-subnet-required': 'Choose the pod subnet',
  'zones-service-subnet-required': 'Choose the service subnet',
  'zones-worker-subnet-required': 'Choose the worker node subnet',
  'zones-ip-order': 'The first address must be before the last one',
  'zones-link-iface': 'The interface has at most 15 letters, digits, dots, hyphens or underscores',
  'zones-driver': 'The driver can only contain letters, digits, dots, hyphens and underscores',

  // Problems in answers of OpenStack, or without an answer
  'openstack-password-refused':
    '{host} rejected the user {user} of the domain {domain}, or the password. Check all three. OpenStack does not say whether the user is disabled.',
  'openstack-project-refused':
    'The domain {domain} has no project {project}, or the user has no access to it. The user has access to these projects: {projects}.',
  'openstack-project-none':
    'The user has no access to the project {project} in the domain {domain}, nor to any other project. Assign the user a role in the project.',
  'openstack-domain-refused':
    'The user has access to a project {project}, but it is not in the domain {domain}. Enter the project’s domain.',
  'openstack-not-keystone':
    'The server at {host} is not Keystone (identity API v3). Enter the address of Keystone, for example https://keystone.example.org:5000/v3.',
  'openstack-trouble': 'OpenStack at {host} is currently unavailable (status {status}). Try again later.',
  'openstack-no-network':
    'Keystone’s catalogue contains no public address of a network service (Neutron). Have one added to the catalogue.',
  'openstack-network-blocked':
    'Keystone’s catalogue refers to {host} for the network service. That address cannot be used: it is on this machine or in a reserved network. An administrator can allow it with GANTRY_OUTBOUND_ALLOW.',
  'openstack-network-forbidden':
    'The network service at {host} does not allow this user to read. Assign the user a role in the project.',
  'openstack-name-taken': 'This cluster already has an OpenStack connection named {name}. Choose another name.',
  'openstack-removing':
    'The OpenStack connection {name} is being deleted. Delete it again to continue, or choose another one.',

  // The parts of a zone
  'zones-project-unknown':
    'OpenStack does not have this project, or the connection’s user has no access to it. Choose another one.',
  'zones-subnet-unknown': 'The project does not have this IPv4 subnet. Choose another one.',
  'zones-security-group-unknown': 'The project has no security group {id}. Choose another one.',
  'zones-reserved-outside': '{start} to {end} is outside the pod subnet ({cidr})',
  'zones-check-failed': 'The zone cannot be saved: {problem}',
  'zones-in-cluster':
    'The cluster already has a ConfigMap or Secret {name} in the namespace {namespace}, which belongs to someone else or to a zone of another cluster entry. Choose another name, or delete it there.',
  'zones-gone':
    'The zone or its OpenStack connection was deleted while it was being written. Nothing of it is left in the cluster.',

  // Screens
  'openstack-ui-about': 'Connections to OpenStack, which provides the networks for the zones of a cluster',
  'openstack-ui-environment': 'Cluster',
  'openstack-ui-no-environment': 'No clusters',
  'openstack-ui-no-environment-memo':
    'OpenStack connections and zones belong to a cluster. Clusters are assigned to teams by an administrator.',
  'openstack-ui-shared': 'Shared cluster',
  'openstack-ui-add': 'Add OpenStack',
  'openstack-ui-add-about':
    'Before the connection is saved, it is checked by requesting a token from Keystone. The password is stored encrypted.',
  'openstack-ui-none': 'No OpenStack connections',
  'openstack-ui-none-memo':
    'A connection is an OpenStack account. Zones use it to choose their project, subnets and security groups.',
  'openstack-ui-name': 'Name',
  'openstack-ui-name-help': 'At most 64 lowercase letters and digits, with single dots or hyphens between them',
  'openstack-ui-auth-url': 'Auth URL',
  'openstack-ui-auth-url-help': 'Keystone’s address, for example https://keystone.example.org:5000/v3',
  'openstack-ui-username': 'Username',
  'openstack-ui-password': 'Password',
  'openstack-ui-user-domain': 'User domain name',
  'openstack-ui-project': 'Project name',
  'openstack-ui-project-domain': 'Project domain name',
  'openstack-ui-domain-help': 'If empty: Default',
  'openstack-ui-account': 'Account',
  'openstack-ui-back': 'Back to the list',
  'zones-ui-about': 'A zone defines which OpenStack networks the pods of a cluster use. Kuryr reads it in the cluster.',
  'zones-ui-add': 'Create zone',
  'zones-ui-add-about':
    'Your choices are checked in OpenStack when you save, and then written to the cluster as Kuryr’s configuration',
  'zones-ui-search': 'Search by zone or OpenStack name',
  'zones-ui-none': 'No zones',
  'zones-ui-none-memo': 'A zone specifies an OpenStack project with its security groups and subnets',
  'zones-ui-none-openstack': 'Add an OpenStack connection to this cluster first',
  'zones-ui-openstack-first': 'Choose an OpenStack connection first',
  'zones-ui-name': 'Name',
  'zones-ui-name-help': 'At most 30 lowercase letters and digits, with single dots or hyphens between them',
  'zones-ui-environment': 'Cluster',
  'zones-ui-openstack': 'OpenStack',
  'zones-ui-subnet': 'Subnet',
  'zones-ui-details': 'View details',
  'zones-ui-type': 'Type',
  'zones-ui-type-normal': 'Normal',
  'zones-ui-type-nested': 'Nested',
  'zones-ui-type-normal-help': 'Hosts are physical machines: each pod has its own port',
  'zones-ui-type-nested-help':
    'Hosts are OpenStack virtual machines: pods share their hosts’ ports, separated by VLANs',
  'zones-ui-neutron': 'Pod network',
  'zones-ui-neutron-about': 'The choices come from OpenStack',
  'zones-ui-project': 'Project',
  'zones-ui-security-groups': 'Pod security groups',
  'zones-ui-pod-subnet': 'Pod subnet',
  'zones-ui-service-subnet': 'Service subnet',
  'zones-ui-pools': 'Addresses: {pools}',
  'zones-ui-truncated':
    'OpenStack has more than is listed here. To use what is missing, create the zone through the API with its IDs.',
  'zones-ui-reserved': 'Reserved addresses',
  'zones-ui-reserved-about':
    'Ranges of the pod subnet to keep free. Kuryr has no option for them, so they are written to the section [gantry] of its configuration.',
  'zones-ui-reserved-start': 'First address',
  'zones-ui-reserved-end': 'Last address',
  'zones-ui-reserved-add': 'Add range',
  'zones-ui-reserved-remove': 'Remove range {number}',
  'zones-ui-nesting': 'Nesting',
  'zones-ui-pod-vif-driver': 'Pod VIF driver',
  'zones-ui-driver': 'Binding driver',
  'zones-ui-link-iface': 'Link interface',
  'zones-ui-worker-subnet': 'Worker node subnet',
  'zones-ui-created': 'Created',
  'zones-ui-state': 'State',
  'zones-ui-basics': 'Zone',
  'zones-ui-written': 'In the cluster',
  'zones-ui-written-about': 'The Kuryr controller reads both. The password is only in the Secret.',
  'zones-ui-config-map': 'ConfigMap',
  'zones-ui-secret': 'Secret',
  'zones-ui-namespace': 'Namespace',
  'zones-ui-fill-first': 'Fill in first: {fields}',
  'zones-ui-waiting': 'Querying OpenStack…',
  'zones-ui-delete-title': 'Delete the zone {name}?',
  'zones-ui-delete-goes': 'the ConfigMap and the Secret {name} of the cluster, in the namespace {namespace}',
  'zones-ui-delete-text': 'Pods that use addresses of this zone keep them until they end. Kuryr assigns no new ones.',
  'state-writing': 'writing',
  'state-removing': 'removing',
}
