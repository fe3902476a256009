/** LDAP directories. */
export const en = {
  // The form
  'ldap-url':
    'This is not a valid LDAP address. It should look like ldap://host:389 or ldaps://host:636, without a path.',
  'ldap-attribute': 'An attribute name has letters, digits and hyphens, and begins with a letter',
  'ldap-member-attribute':
    'A member attribute has letters, digits and hyphens, and begins with a letter. A matching rule may follow, as in member:1.2.840.113556.1.4.1941:',
  'ldap-rule-unsupported':
    '{host} finds no member by the rule {rule}, which only Active Directory has. Enter the attribute without the rule: then only direct members count.',
  'ldap-base-required': 'Enter the location of the users, for example ou=people,dc=example,dc=org',
  'ldap-dn': 'This is not a distinguished name (DN). It should look like ou=people,dc=example,dc=org.',
  'ldap-start-tls-ldaps': 'An ldaps:// address is already encrypted: turn StartTLS off, or use ldap://',
  'ldap-ca': 'This is not a certificate in PEM format. It should begin with -----BEGIN CERTIFICATE-----.',
  'ldap-password-required': 'Enter the password of the search account',
  'ldap-password-again':
    'The address or the account has changed. Enter the password again: the stored one is not sent to another server.',
  'ldap-name-taken': 'A directory named {name} already exists. Choose another name.',
  'ldap-mapping-team': 'The team of this mapping does not exist, or has been deleted. Choose another one.',
  'ldap-mapping-role': 'The team does not have this role, or it has been deleted. Choose another one.',
  'group-required': 'Enter a group',

  // Invalid filters
  'ldap-filter-open': 'Filter error at character {at}: expected an opening parenthesis',
  'ldap-filter-close': 'Filter error at character {at}: expected a closing parenthesis',
  'ldap-filter-rest':
    'The filter ends before character {at}, but more text follows. Combine several conditions with (&…) or (|…).',
  'ldap-filter-attribute': 'Filter error at character {at}: expected an attribute name',
  'ldap-filter-comparison': 'Filter error at character {at}: expected =, >=, <= or ~=',
  'ldap-filter-escape':
    'Filter error at character {at}: a backslash must be followed by two hexadecimal digits, such as \\2a for *',
  'ldap-filter-star':
    'Filter error at character {at}: a * is not allowed here. To match the character itself, write \\2a.',
  'ldap-filter-deep': 'Filter error at character {at}: too many nested parentheses',

  // Problems in answers of a directory, or without an answer
  'ldap-address-refused':
    '{host} cannot be used: it is on this machine or in a reserved network. An administrator can allow it with GANTRY_OUTBOUND_ALLOW.',
  'ldap-unknown-host':
    'The host name of {host} cannot be resolved. Check its spelling, and whether this server can resolve it.',
  'ldap-unreachable':
    '{host} cannot be reached or refuses the connection. Check the address and the port, and that the directory is running.',
  'ldap-timeout': '{host} did not answer in time. Try again, or check whether a firewall blocks the connection.',
  'ldap-closed':
    '{host} closed the connection without an answer. Check that a directory listens on this port, and whether it requires ldaps://.',
  'ldap-not-ldap': 'The server at {host} is not an LDAP directory. Check the address and the port.',
  'ldap-broken': 'The connection to {host} was interrupted. Check the address and the port, and try again.',
  'ldap-too-large': 'The response of {host} is too large and was not read. Narrow the base DN or the filter.',
  'ldap-tls': 'A secure connection to {host} could not be established ({reason}). Check its TLS settings.',
  'ldap-tls-expired': 'The certificate of {host} has expired or is not valid yet. Renew it on that server.',
  'ldap-tls-name': 'The certificate of {host} was issued for a different name. Use the name in the certificate.',
  'ldap-tls-untrusted':
    'The certificate of {host} is not signed by a trusted certificate authority. Enter the certificate of its CA.',
  'ldap-tls-missing': '{host} does not support TLS on this port. Use ldap:// with StartTLS, or the port for ldaps://.',
  'ldap-start-tls-unsupported': '{host} does not support StartTLS. Use ldaps://, or enable StartTLS on that server.',
  'ldap-tls-needed': '{host} requires an encrypted connection. Turn StartTLS on, or use ldaps://.',
  'ldap-bind-refused': '{host} rejected the account {what} or its password. Check both.',
  'ldap-base-missing': '{what} does not exist on {host}, or the search account cannot see it',
  'ldap-no-right': 'The search account has no permission to read {what} on {host}. Grant it the permission there.',
  'ldap-referral':
    '{host} refers requests for {what} to another directory. Referrals are not followed: enter the other directory instead.',
  'ldap-busy': '{host} is busy or shutting down. Try again later.',
  'ldap-result': '{host} rejected the request ({status}): {text}',
  'ldap-no-users':
    'No entry below {what} on {host} matches the user filter. Check the base DN, the filter, and what the search account can see.',
  'ldap-attribute-missing':
    'None of the users found has the attribute {attribute}. Check its spelling, and what the search account can see.',

  // Signing in
  'ldap-off': 'This directory is disabled. Choose another way to log in, or ask an administrator.',
  'ldap-choose': 'Choose a directory',
  'ldap-login-timeout': '{name} did not answer in time. Try again, or choose another way to log in.',
  'ldap-login-down':
    'You cannot log in with {name} at the moment. Choose another way to log in, or ask an administrator, who can see the cause in the list of directories.',

  // Reasons for a disabled account
  'ldap-barred-gone': 'No longer found in the directory',
  'ldap-barred-disabled': 'Disabled in the directory',
  'ldap-barred-off': 'The directory is disabled',

  // Searching and importing
  'ldap-in-use': 'Users come from {name} ({count}). Delete them first, or delete the directory with its users.',
  'ldap-import-duplicate': 'already has an account',
  'ldap-import-twice': 'is in the list more than once',
  'ldap-import-missing': 'is not in the directory, or is excluded by the user filter',
  'ldap-import-dn': 'is not a distinguished name',
  'ldap-import-name': 'has no attribute {attribute}, from which the username is taken',
  'ldap-import-email': 'has the email address {email} in common with {names}',
  'ldap-import-failed': 'could not be saved; see the log for the cause',

  // Screens
  'ldap-ui-about':
    'Users log in with their username and password from the organisation’s directory: OpenLDAP, Active Directory, FreeIPA and others',
  'ldap-ui-add': 'Add directory',
  'ldap-ui-none': 'No directories',
  'ldap-ui-none-memo':
    'With a directory, users log in with the password they already have, and lose access automatically when they leave the organisation',
  'ldap-ui-name': 'Name',
  'ldap-ui-name-help': 'The name that users choose when they log in',
  'ldap-ui-url': 'Address',
  'ldap-ui-users-count': 'Users',
  'ldap-ui-state': 'State',
  'ldap-ui-checked': 'Last checked',
  'ldap-ui-state-on': 'working',
  'ldap-ui-state-new': 'not checked yet',
  'ldap-ui-state-off': 'disabled',
  'ldap-ui-state-failing': 'not working',
  'ldap-ui-on': 'Enable',
  'ldap-ui-off': 'Disable',
  'ldap-ui-off-title': 'Disable {name}?',
  'ldap-ui-off-text':
    'Nobody can log in with it any more. Its users ({count}) are disabled within a minute: their sessions end and their API tokens stop working. Enabling the directory again restores their access.',
  'ldap-ui-import': 'Search and import',
  'ldap-ui-delete-title': 'Delete {name}?',
  'ldap-ui-delete-text': 'The settings and group mappings are deleted. The directory itself is not changed.',
  'ldap-ui-delete-users': 'its users ({count}) with their sessions, API tokens and memberships',
  'ldap-ui-edit-about': 'The settings are tested before they are saved. Nothing is written to the directory.',
  'ldap-ui-connection': 'Connection',
  'ldap-ui-url-help': 'ldap://host:389, or ldaps://host:636 for an encrypted connection',
  'ldap-ui-start-tls': 'StartTLS',
  'ldap-ui-start-tls-help': 'Encrypt the connection before any data is sent. Only for ldap:// addresses.',
  'ldap-ui-plain':
    'Passwords are sent over the network in plain text. Turn StartTLS on or use ldaps://, unless the network is trusted.',
  'ldap-ui-ca': 'CA certificate',
  'ldap-ui-ca-help':
    'PEM format. Needed if the directory’s certificate comes from your own CA. The certificate is always verified.',
  'ldap-ui-bind-dn': 'Search account (DN)',
  'ldap-ui-bind-dn-help': 'Needs read access only. Leave empty to search anonymously.',
  'ldap-ui-bind-password': 'Password of the search account',
  'ldap-ui-bind-password-help': 'Stored encrypted. Enter it again when you change the address or the account.',
  'ldap-ui-users': 'Users',
  'ldap-ui-users-about': 'Who can log in, and which attributes are used',
  'ldap-ui-base-dn': 'Location of the users (base DN)',
  'ldap-ui-filter': 'User filter',
  'ldap-ui-filter-help': 'Users that it does not match cannot log in, and lose access',
  'ldap-ui-attribute-name': 'Username attribute',
  'ldap-ui-attribute-nickname': 'Nickname attribute',
  'ldap-ui-attribute-email': 'Email attribute',
  'ldap-ui-create': 'Create accounts at the first login',
  'ldap-ui-create-help':
    'All users that match the filter get an account when they log in. If off, only imported users can log in.',
  'ldap-ui-groups': 'Groups and teams',
  'ldap-ui-groups-about':
    'Members of a group become members of a team when they log in, and within a minute after a change. Only direct members count, unless the member attribute names a rule for nested groups.',
  'ldap-ui-group-base': 'Location of the groups (base DN)',
  'ldap-ui-group-base-help': 'If empty, the location of the users is used',
  'ldap-ui-group-member': 'Member attribute',
  'ldap-ui-group-member-help':
    'member or uniqueMember; memberUid for groups of POSIX; member:1.2.840.113556.1.4.1941: for nested groups of Active Directory',
  'ldap-ui-group': 'Group (DN)',
  'ldap-ui-enabled': 'Enabled',
  'ldap-ui-enabled-help':
    'If off, nobody can log in with the directory, and its users are disabled until it is enabled again',
  'ldap-ui-test': 'Test',
  'ldap-ui-test-fine': 'The directory works with these settings',
  'ldap-ui-test-users': 'Users found',
  'ldap-ui-test-groups': 'Groups found',
  'ldap-ui-test-more': '{count} or more',
  'ldap-ui-test-sample': 'For example',
  'ldap-ui-test-missing': 'None of them has {attributes}. Check the spelling unless this is intended.',
  'ldap-ui-test-unknown': 'These mapped groups are not in the directory: {groups}',
  'ldap-ui-test-shared':
    'Several users have the same email address, and could not be told apart by it: {shared}. Correct it in the directory.',
  'ldap-ui-import-title': 'Users of {name}',
  'ldap-ui-import-search': 'Search by name or email',
  'ldap-ui-import-nobody': 'No users match',
  'ldap-ui-import-truncated': 'Only the first 1,000 users are searched. Refine the search to find others.',
  'ldap-ui-email': 'Email address',
  'ldap-ui-import-more': 'Show more',
  'ldap-ui-import-list': 'Users found',
  'ldap-ui-import-chosen': 'Import {count}',
  'ldap-ui-import-choose': 'Choose the users to import',
  'ldap-ui-import-there': 'already has an account',
  'ldap-ui-import-disabled': 'disabled in the directory',
  'ldap-ui-import-pick': 'Select {name}',
  'ldap-ui-import-all': 'Select all shown',
  'ldap-ui-import-done': '{created} of {count} {count:user|users} imported',
  'ldap-ui-import-report': 'Import results',
  'ldap-ui-import-again': 'Import more',
  'ldap-ui-result': 'Result',
  'ldap-ui-result-created': 'imported',
  'ldap-ui-result-duplicate': 'already exists',
  'ldap-ui-result-missing': 'not found',
  'ldap-ui-result-failed': 'failed',
  'ldap-ui-missing': 'This directory does not exist, or has been deleted',
}
