/** The connection to TAPD. */
export const en = {
  'tapd-user-required':
    'Enter the account of the open API, without a colon. TAPD shows it to administrators of the company.',
  'tapd-password-required': 'Enter the password of the API account',
  'tapd-password-again':
    'The address or the account has changed: enter the password again. A stored one never goes to another server.',
  'tapd-workspace-format': 'A workspace’s id is a number, such as 20375571: it is in the address of its pages',
  'tapd-workspace-required': 'Name at least one workspace of TAPD whose items count',
  'tapd-workspace-unknown':
    'TAPD shows these workspaces to nobody with this API account: {workspaces}. Check the ids, or let the account see them.',
  'tapd-login':
    'TAPD at {host} does not accept the API account and its password. Check both; an administrator of the company finds them among its API accounts.',

  // Screen
  'tapd-ui-title': 'TAPD',
  'tapd-ui-about':
    'Builds show the stories, bugs and tasks that their commits name by TAPD’s keywords, such as --story=1001234, and tell them when they succeed.',
  'tapd-ui-enabled': 'Use TAPD',
  'tapd-ui-url': 'Address of the open API',
  'tapd-ui-user': 'API account',
  'tapd-ui-password': 'API password',
  'tapd-ui-workspaces': 'Workspaces',
  'tapd-ui-workspaces-help': 'The ids of those whose items count, such as 20375571',
  'tapd-ui-comment': 'Comment on items when a build succeeds',
  'tapd-ui-comment-help': 'Once for each build, with a link to it',
  'tapd-ui-status': 'Status when a build succeeds',
  'tapd-ui-status-help':
    'By its code or its name in TAPD. Of several, with commas, an item gets the first that its kind has: resolved, done. Empty changes no item.',
} as const
