/** The settings of OAuth. */
export const en = {
  'oauth-ui-about':
    'People sign in with the company’s provider of OpenID Connect: Keycloak, Microsoft Entra, Okta, GitLab and others',

  'oauth-ui-register': 'Register with the provider',
  'oauth-ui-register-about': 'Create a client for this installation there, and give it these addresses',
  'oauth-ui-redirect-uri': 'Redirect URI',
  'oauth-ui-logout-uri': 'Redirect URI after logout',
  'oauth-ui-backchannel-uri': 'Back-channel logout URL',
  'oauth-ui-keycloak': 'How to do this in Keycloak',
  'oauth-ui-keycloak-1':
    'In the realm, under Clients, create a client of type OpenID Connect. Switch on “Client authentication” and “Standard flow”.',
  'oauth-ui-keycloak-2':
    'Enter the redirect URI under “Valid redirect URIs” and the one after logout under “Valid post logout redirect URIs”. The back-channel logout URL belongs under “Logout settings”, with “Front channel logout” off.',
  'oauth-ui-keycloak-3':
    'For teams by groups: under “Client scopes” of the client, in its dedicated scope, add a mapper “Group Membership” with the claim name groups. With “Full group path” the groups begin with a slash.',
  'oauth-ui-keycloak-4':
    'Enter the issuer (the address of the realm, https://…/realms/<name>), the client id and the secret from the tab “Credentials” below, and test the connection.',

  'oauth-ui-provider': 'Provider',
  'oauth-ui-enabled': 'Offer it on the login page',
  'oauth-ui-enabled-help':
    'Before it is switched on, the provider is asked and the client is checked. The other ways to sign in stay',
  'oauth-ui-name': 'Name',
  'oauth-ui-name-help': 'What the button on the login page says',
  'oauth-ui-name-example': 'Company login',
  'oauth-ui-issuer': 'Issuer',
  'oauth-ui-issuer-help': 'Where the provider serves /.well-known/openid-configuration, without that part',
  'oauth-ui-issuer-plain':
    'Without https, whoever sits between this server and the provider can sign in as anyone. Use https',
  'oauth-ui-client': 'Client id',
  'oauth-ui-secret': 'Client secret',
  'oauth-ui-secret-help': 'Empty for a public client. It is stored sealed and never shown again',
  'oauth-ui-scopes': 'Scopes',
  'oauth-ui-scopes-help': 'What is asked of the provider, separated by spaces; openid is always needed',

  'oauth-ui-people': 'Users',
  'oauth-ui-people-about':
    'Which claims carry their names. A name is only shown: who somebody is, the provider’s own identifier says, so nobody becomes the local user of the same name',
  'oauth-ui-claim-user': 'Claim of the user name',
  'oauth-ui-claim-nickname': 'Claim of the nickname',
  'oauth-ui-claim-email': 'Claim of the e-mail address',
  'oauth-ui-create': 'Make an account at the first sign-in',
  'oauth-ui-create-help': 'Otherwise only those sign in who have an account already',
  'oauth-ui-logout': 'Single logout',
  'oauth-ui-logout-help':
    'Logging out here ends the session at the provider as well, where it offers that. A logout there always ends the sessions here, once the back-channel URL is registered',

  'oauth-ui-teams': 'Teams',
  'oauth-ui-teams-about':
    'Whoever is in a group becomes a member of the team, at each sign-in. Memberships that came from here are taken back once the group is gone; those made by hand stay',
  'oauth-ui-claim-groups': 'Claim of the groups',
  'oauth-ui-claim-groups-help':
    'A name like groups or https://example.org/groups, or a path like realm_access.roles. Empty: no groups are read',
  'oauth-ui-group': 'Group',

  'oauth-ui-test': 'Test',
  'oauth-ui-found': 'The provider answers, and accepts this client',
  'oauth-ui-authorization': 'Sign-in page',
  'oauth-ui-token': 'Token endpoint',
  'oauth-ui-end-session': 'Logout',
  'oauth-ui-not-offered': 'not offered',
  'oauth-ui-pkce': 'supported',
  'oauth-ui-pkce-untold': 'not announced; it is used all the same',
  'oauth-ui-keys': 'Signing keys',
} as const
