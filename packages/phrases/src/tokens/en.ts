/** API tokens: their refusals, and what roles may do with them. */
export const en = {
  'alias-too-long': 'An alias has at most 30 characters',
  'alias-format':
    'An alias begins with a letter or a digit, and goes on with letters, digits, spaces, dots, dashes and underscores',
  'token-days': 'A token is valid for up to 3650 days, counted in whole days; 0 means for good',
  'token-alias-taken': 'The team has an API token named {alias} already. Choose another alias',
  'token-permissions-none': 'Choose at least one permission, or the token can do nothing',
  'token-grant-lacking': 'A token cannot carry what you do not have yourself: {keys}',
  'tokens-too-many': 'A team has at most {maximum} API tokens. Delete one that is not used any more',

  'permission.team_token_view': 'See the team’s API tokens, without their secrets',
  'permission.team_token_create': 'Make API tokens that carry one’s own permissions',
  'permission.team_token_delete': 'Delete API tokens of the team',
} as const
