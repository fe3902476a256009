/** Logging in with an OpenID Connect provider, and its settings. */
export const en = {
  // Refusals
  'oauth-claim': 'A claim name consists of letters, digits and _ . : / -',
  'oauth-client-required': 'Enter the client ID that the identity provider assigned to this platform',
  'oauth-secret-again':
    'The stored client secret belongs to another issuer and is not sent to this one. Enter the secret for this issuer.',
  'oauth-off': 'Login with OAuth is disabled. Log in another way, or ask an administrator to enable it.',
  'oauth-unavailable': 'You cannot log in with OAuth at the moment: {problem}',
  'oauth-state':
    'This login was started in another browser, took longer than ten minutes, or was already used. Start again from the login page.',
  'oauth-code-refused':
    'The identity provider no longer accepts this login: its code was already used or has expired ({problem}). Start again from the login page.',
  'oauth-client-refused':
    'The identity provider rejects this platform: the client ID or the client secret is wrong ({problem}). An administrator can correct them in the OAuth settings.',
  'oauth-provider-says': 'The identity provider refused the login: {problem}',
  'oauth-no-provider':
    'There is no usable OpenID Connect provider at {issuer}. Check the issuer: it must be the address where the provider serves /.well-known/openid-configuration.',
  'oauth-issuer-differs':
    'The identity provider at {issuer} identifies itself as {found}. Enter exactly that as the issuer.',
  'oauth-answer':
    'The identity provider’s response is incomplete or cannot be trusted. The server’s log shows the cause.',
  'oauth-refused':
    'You cannot log in with OAuth: the identity provider’s response cannot be used. Log in another way, or give an administrator this number: {requestId}. The audit log shows the cause under it.',
  'oauth-redirect-refused':
    'The identity provider does not know this platform’s redirect URI ({problem}). Register exactly {redirectUri} with the client there.',
  'oauth-token-status':
    'The token endpoint of the identity provider responded with HTTP {status}. Check its log, and whether its discovery names the right address.',
  'oauth-token-none':
    'The identity provider sent no ID token. Check that the scopes contain openid, and that the client there is one of OpenID Connect.',
  'oauth-token-algorithm':
    'The identity provider signs with {algorithm}, which is not accepted. Set the client’s ID token signature there to one of these, which its discovery must name: {accepted}.',
  'oauth-token-subject':
    'The ID token does not say who the user is: its “sub” is missing, empty or not a text. Correct the mapping of “sub” at the identity provider.',
  'oauth-userinfo-status':
    'The userinfo endpoint of the identity provider responded with HTTP {status} ({problem}). Check the client’s scopes there, or add the missing claims to the ID token.',
  'oauth-userinfo-subject':
    'The identity provider’s userinfo is about nobody, or about another user than its ID token: its “sub” differs, or is not a text. Correct the mapping of “sub” there.',
  'oauth-userinfo-answer':
    'The userinfo endpoint of the identity provider did not respond with JSON. Set its response there to plain JSON, or add the missing claims to the ID token.',
  'oauth-token-nonce':
    'The identity provider’s response belongs to another login, or does not say to which: its “nonce” is not the one that was sent. Start again from the login page. If it comes each time, the provider must return the nonce in the ID token.',
  'oauth-token-time':
    'The identity provider’s response has expired or is not valid yet. Its clock and the clock of this server differ by more than a minute. Ask an administrator to correct them.',
  'oauth-token-claim':
    'The identity provider’s response is not meant for this platform: its “{claim}” is not the expected one. An administrator can check the issuer and the client ID.',
  'oauth-token-key':
    'The identity provider’s response is signed with a key that it does not publish. If it has just changed its keys, try again in a minute.',
  'oauth-token-signature':
    'The signature of the identity provider’s response is wrong. Start again from the login page.',
  'oauth-logout-token': 'This logout token is not meant for this platform, or it was already used',

  // Screens
  'oauth-ui-about':
    'Users log in with the organisation’s OpenID Connect provider: Keycloak, Microsoft Entra, Okta, GitLab and others',
  'oauth-ui-register': 'Register with the identity provider',
  'oauth-ui-register-about':
    'Create a client for this platform at the identity provider, and enter these addresses there',
  'oauth-ui-redirect-uri': 'Redirect URI',
  'oauth-ui-logout-uri': 'Redirect URI after logout',
  'oauth-ui-backchannel-uri': 'Back-channel logout URL',
  'oauth-ui-keycloak': 'Instructions for Keycloak',
  'oauth-ui-keycloak-1':
    'In the realm, under Clients, create a client of the type OpenID Connect. Turn “Client authentication” and “Standard flow” on.',
  'oauth-ui-keycloak-2':
    'Enter the redirect URI under “Valid redirect URIs” and the one after logout under “Valid post logout redirect URIs”. Under “Logout settings”, enter the back-channel logout URL and turn “Front channel logout” off.',
  'oauth-ui-keycloak-3':
    'To map groups to teams: under “Client scopes” of the client, add a “Group Membership” mapper with the claim name groups to its dedicated scope. With “Full group path”, group names begin with a slash.',
  'oauth-ui-keycloak-4':
    'Below, enter the issuer (the address of the realm, https://…/realms/<name>), the client ID, and the secret from the tab “Credentials”. Then test the connection.',
  'oauth-ui-provider': 'Identity provider',
  'oauth-ui-enabled': 'Show on the login page',
  'oauth-ui-enabled-help':
    'The identity provider and the client are checked before this is turned on. Other ways to log in stay available.',
  'oauth-ui-name': 'Name',
  'oauth-ui-name-help': 'The label of the button on the login page',
  'oauth-ui-name-example': 'Company login',
  'oauth-ui-issuer': 'Issuer',
  'oauth-ui-issuer-help': 'The address where the provider serves /.well-known/openid-configuration, without that path',
  'oauth-ui-issuer-plain':
    'Without https, anyone between this server and the identity provider can log in as any user. Use https.',
  'oauth-ui-client': 'Client ID',
  'oauth-ui-secret': 'Client secret',
  'oauth-ui-secret-help': 'Leave empty for a public client. Stored encrypted and never shown again.',
  'oauth-ui-scopes': 'Scopes',
  'oauth-ui-scopes-help': 'Scopes requested from the identity provider, separated by spaces. Must include openid.',
  'oauth-ui-people': 'Users',
  'oauth-ui-people-about':
    'The claims that contain the users’ names. Names are only shown: users are identified by the provider’s own identifier, so nobody can become a local user with the same name.',
  'oauth-ui-claim-user': 'Username claim',
  'oauth-ui-claim-nickname': 'Nickname claim',
  'oauth-ui-claim-email': 'Email claim',
  'oauth-ui-create': 'Create accounts at the first login',
  'oauth-ui-create-help': 'If off, only users who already have an account can log in',
  'oauth-ui-logout': 'Single logout',
  'oauth-ui-logout-help':
    'Logging out here also ends the session at the identity provider, if it supports this. Once the back-channel logout URL is registered, logging out there always ends the sessions here.',
  'oauth-ui-teams': 'Teams',
  'oauth-ui-teams-about':
    'At each login, members of a group become members of the mapped team. Memberships from mappings end when the user leaves the group; those added manually stay.',
  'oauth-ui-claim-groups': 'Groups claim',
  'oauth-ui-claim-groups-help':
    'A name such as groups or https://example.org/groups, or a path such as realm_access.roles. If empty, groups are not read.',
  'oauth-ui-group': 'Group',
  'oauth-ui-test': 'Test',
  'oauth-ui-found': 'The identity provider responds and accepts this client',
  'oauth-ui-authorization': 'Login page',
  'oauth-ui-token': 'Token endpoint',
  'oauth-ui-end-session': 'Logout',
  'oauth-ui-not-offered': 'not supported',
  'oauth-ui-pkce': 'supported',
  'oauth-ui-pkce-untold': 'not announced, but used anyway',
  'oauth-ui-keys': 'Signing keys',
  'oauth-ui-last': 'Latest sign-in',
  'oauth-ui-last-groups': 'Groups that came',
  'oauth-ui-groups-none': 'none',
  'oauth-ui-groups-many': 'too many to be told',
  'oauth-ui-groups-unmapped':
    'No mapping matches any of these groups. Enter a group in a mapping exactly as it came; if none came, check the groups claim and the scopes.',
}
