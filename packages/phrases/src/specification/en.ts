/** Keys that the specification defines, its error catalogue and its success toasts. */
export const en = {
  // Success toasts
  'delete-success': '{object} deleted',
  'add-success': '{object} added',
  'update-success': '{object} updated',
  'edit-success': 'Changes saved',
  'delete-user': 'User deleted',
  'update-success-role': '{object} updated',
  'add-success-role': '{object} added',
  'delete-success-role': '{object} deleted',
  'option-success': '{object}: done',
  'save-success': '{object} saved',
  'upgrade-success': '{object}: upgrade started',
  'restart-success': '{object}: restart started',
  'create-success': '{object} created',
  'clone-success': 'Cloned',
  'delete-status': '{object}: deletion started',
  'login-success': 'Welcome back',
  'logout-success': 'Logged out',
  'translate-success': 'Translated',
  'sync-success': 'Synchronised',
  'assign-success': 'Assigned',
  'check-success': 'The check succeeded',
  'manual-trigger-success': '{object}: build triggered',
  'stop-success': '{object} stopped',
  'cancel-success': '{object} cancelled',
  recovering: 'Recovery started',

  // Failed calls, by their answer
  'login-again': 'Please log in again',
  'resource-not-found': 'Resource not found',
  'request-forbidden': 'You do not have permission for this request',
  'request-parameters-wrong': 'The request parameters are wrong',
  'server-failed': 'Server error. Try again in a moment.',
  'network-timeout': 'The request timed out. Check your network.',
  'network-error': 'Network error. Check your connection and try again.',
  'no-service-instance': 'No service instance is available. Try again in a moment.',
  'no-stack': 'The service behind this address is not running. Try again in a moment, or ask an administrator.',
  'response-timeout': 'The server did not answer in time',
  'request-illegal': 'The request is not allowed. Log in with an authorised account.',
  'page-not-found': 'This page does not exist',
  'try-again-later': 'Something went wrong on the server. Try again later.',

  // Login and teams
  'input-userinfo': 'Enter your username and password',
  'user-Unknown-team': 'You are not a member of any team yet. Ask an administrator to add you to one.',
  'user-disabled': 'This user is disabled',
  'user-not-assigned': 'This user is not a member of any team. Ask an administrator.',
  'tenant-details': 'Team details',

  // Passwords
  'valid-old-pwd': 'Enter your current password',
  'valid-new-pwd': 'Enter a new password',
  'valid-pwd-count': 'A password has 6 to 20 characters',
  'valid-pwd-strenght': 'This password is too easy to guess. Make it longer, or mix words, digits and signs.',
  'valid-write-new-pwd': 'Enter the new password again',
  'valid-pwd-diff': 'The two passwords differ',

  // Zones and OpenStack
  'valid-zone-name':
    'Up to 30 lowercase letters and digits, separated by single dots or hyphens, with a letter or digit at both ends',
  'valid-zone-name-repeat': 'This cluster already has a zone with this name. Choose another one.',
  'delete-openstack-warn':
    'Zones still use this OpenStack connection ({count}). They will be deleted with it, including what they wrote to the cluster.',
  'prompt-delete-openstack': 'Delete the OpenStack connection {name}?',

  // Builds, blueprints, licence
  'stop-fail-build': 'Build {number} could not be stopped: {error}',
  'tips-tosaca-version':
    'The template’s TOSCA version is lower than the platform’s ({version}). Raise it and save again.',
  'delete-tips-store': 'A notification channel was removed. Rules that used it no longer notify anyone through it.',
  'license-expired': 'License has expired, contact the administrator to update',
  'license-expiring': 'The license expires at {time}. Please renew it promptly.',

  // Refusals by rules
  'name-exists': 'The name {name} already exists. Choose another.',
  'name-taken': 'The name {name} is already taken. Choose another.',
  'role-name-repeat': 'There is already a role of this name',
  'version-repeat': 'There is already a version {version}. Choose another number.',
  'service-exists': 'There is already a service {name}',
  'domain-in-use': 'The domain {name} is in use and cannot be deleted',
  'template-in-use': 'The template {name} is in use and cannot be deleted',
  'notification-in-use': 'The notification method {name} is in use and cannot be deleted',
  'catalog-in-use':
    'The team {team} still runs {name} {version} in the stack {stack}, so it cannot be deleted. Delete that stack, or upgrade it with something else first.',
  'image-project-not-empty': 'The image project {name} is not empty. Delete its repositories first.',
  'volume-in-use':
    'The volume {name} is used by services and cannot be deleted: the pods {pods} use its claim {claim}. Delete these pods and the claim first.',
  'agent-busy': 'The agent has running tasks and cannot be cleaned: {builds}. Wait for them, or stop them.',
  'ingress-host-missing': 'The environment has no Ingress host. Set one first.',
  'access-address-missing': 'The access address does not exist',
  'windows-no-ansible': 'A Windows environment does not support Ansible',
  'windows-no-code-quality': 'A Windows environment does not support code quality checks',
  'windows-no-ingress': 'A Windows environment does not support ingress scheduling',
  'tosca-format': 'The TOSCA template is not well formed: {problem}',
  'tosca-version-low': 'The TOSCA version is too low. It must be at least {version}.',
  'yaml-wrong': 'The YAML does not parse: line {line}, column {column}: {problem}',
  'import-format': 'The file to import has the wrong format. Use {format}.',
  'import-duplicate-users': 'The file names users twice: {names}',
  'ldap-check-failed': 'The LDAP check failed: {problem}',
  'retry-exceeded': '{host} was tried {tries} times without success. The last time: {cause}',
  'email-wrong': 'The email address is not valid',

  // Empty screens
  'no-data': 'No data',
  'no-permission-to-create': 'You have no permission to create',
  'no-permission-to-edit': 'You have no permission to edit',
  'no-permission-to-trigger': 'You have no permission to trigger',
}
