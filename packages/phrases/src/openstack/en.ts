/** OpenStack connections and zones */
export const en = {
  'openstack-name-format':
    'The name has at most 30 lower case letters and digits, with single dots or dashes between them',
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
  'zones-driver': 'The driver has letters, digits, dots and underscores',
} as const
