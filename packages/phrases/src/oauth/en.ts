/** Signing in with a provider of OpenID Connect, and its settings. */
export const en = {
  'oauth-claim': 'The name of a claim consists of letters, digits and _ . : / -',
  'oauth-client-required': 'Enter the client id that the provider gave this installation',
  'oauth-secret-again':
    'The client secret was given for another issuer and is not sent to this one. Enter the secret of this issuer',

  'oauth-off': 'Signing in with OAuth is switched off. Sign in another way, or ask an administrator to switch it on',
  'oauth-unavailable': 'Signing in with OAuth is not possible at the moment: {problem}',
  'oauth-state':
    'This sign-in was not begun in this browser, took longer than ten minutes, or was used already. Begin again from the login page',
  'oauth-code-refused':
    'The provider does not accept this sign-in any more: its code was used already, or is too old. Begin again from the login page',
  'oauth-client-refused':
    'The provider refuses this installation: the client id or the client secret is wrong. An administrator can correct them in the OAuth settings',
  'oauth-provider-says': 'The provider refuses the sign-in: {problem}',
  'oauth-no-provider':
    'There is no usable OpenID Connect provider at {issuer}. Check the issuer: the address at which the provider serves /.well-known/openid-configuration',
  'oauth-issuer-differs': 'The provider at {issuer} calls itself {found}. Enter the issuer exactly like this',
  'oauth-answer':
    'The provider’s answer lacks something that OpenID Connect prescribes, or cannot be trusted. The cause stands in the server’s log',
  'oauth-token-nonce': 'The provider’s answer belongs to another sign-in. Begin again from the login page',
  'oauth-token-time':
    'The provider’s answer has expired or is not valid yet. The clocks of the provider and of this server differ by more than a minute: an administrator can set them right',
  'oauth-token-claim':
    'The provider’s answer is not meant for this installation: its “{claim}” is not what was expected. An administrator can check the issuer and the client id',
  'oauth-token-key':
    'The provider’s answer is signed with a key that it does not publish. If it has just changed its keys, try again in a minute',
  'oauth-token-signature': 'The signature of the provider’s answer is wrong. Begin again from the login page',
  'oauth-logout-token': 'This is no logout token for this installation, or it was used already',
} as const
