/** The list of users. */
export const en = {
  'users-ui-about': 'Every account of this installation.',
  'users-ui-search': 'Search by name or e-mail',
  'users-ui-create': 'Create user',
  'users-ui-name': 'User name',
  'users-ui-name-help': '2 to 30 letters, digits, dots, dashes or underscores. It is used to log in.',
  'users-ui-nickname': 'Nickname',
  'users-ui-email': 'E-mail',
  'users-ui-type': 'Account',
  'users-ui-state': 'State',
  'users-ui-admin': 'Administrator',
  'users-ui-admin-yes': 'yes',
  'users-ui-admin-switch': 'Administrator of the whole installation',
  'users-ui-admin-help': 'May do everything, in every team.',
  'users-ui-teams': 'Teams',
  'users-ui-teams-none': 'no team',
  'users-ui-changed': 'Changed',
  'users-ui-you': '(you)',
  'users-ui-made-title': '{name} can log in now',
  'users-ui-made-text':
    'This is the initial password. It is shown this once: hand it over now. At the first login it must be changed.',
} as const
