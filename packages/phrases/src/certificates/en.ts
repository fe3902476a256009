/** Certificates of the platform, and the domains of teams. */
export const en = {
  'certificates-too-long':
    'At most 64,000 characters: the certificate and those that signed it, without the root. Remove everything else.',
  'certificates-key-too-long': 'At most 16,000 characters: the private key alone',
  'certificates-chain-format':
    'Enter certificates in the PEM format and nothing else: from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----. The private key has a field of its own.',
  'certificates-chain-long':
    'The chain has more than {most} certificates. Enter those that lead to the root, without the root.',
  'certificates-chain-gap':
    'The certificate {name} did not sign the one before it. Enter the certificate first, then each one that signed the one before.',
  'certificates-key-format':
    'The private key cannot be read. Enter it in the PEM format, with its lines BEGIN and END.',
  'certificates-key-locked':
    'The private key has a passphrase. Remove it, for example with openssl pkey, and enter the key again.',
  'certificates-key-other':
    'The private key does not belong to the certificate. Enter the one that it was requested with.',
  'certificates-expired': 'The certificate expired on {until}. Enter a renewed one.',
  'certificates-not-yet': 'The certificate is only valid from {from}. Add it then.',
  'certificates-weak':
    'The certificate cannot be used for TLS: {reason}. Have one issued with a stronger key: RSA of at least 2048 bits, or ECDSA.',
  'certificates-no-names':
    'The certificate names no host among its alternative names, so that browsers refuse it. Have one issued for the names of your hosts.',
  'certificates-names-many': 'The certificate names more than {most} hosts. Use several certificates.',
  'certificates-name-taken': 'There already is a certificate named {name}. Choose another name.',
  'certificates-changed':
    'Someone else has changed the certificate {name} in the meantime. Reload and make your change again.',
  'certificates-domain-lost':
    'The new certificate is not for the domain {domain} of {name}. Enter one that is, or delete the domain first.',
  'certificates-host-lost':
    'The new certificate is not for {host}, which {holder} serves with {name}. Enter one that is, or change that service first.',
  'certificates-not-allocated':
    'The certificate chosen for {host} is not one that your team may use. Choose another one, or ask your administrator.',
  'certificates-host-other': 'The certificate {name} is not for {host}, but for {names}. Choose another one.',
  'certificates-in-use': '{holder} uses the certificate {name}. Give that service another one first.',
  'certificates-used-meanwhile': 'A service has just begun to use the certificate {name}. Reload to see which one.',
  'certificates-team-has-domain':
    'The team {team} has the domain {domain} under this certificate. Delete the domain first.',
  'domains-required': 'Enter a domain',
  'domains-format':
    'This is not a domain. Enter a name such as shop.example.com, or *.example.com for all hosts right under a name.',
  'domains-not-covered':
    'The certificate {name} is not for {domain}, but for {names}. Choose another domain or certificate.',
  'domains-taken': 'The domain {domain} already is under the certificate {certificate}',
  'domains-of-team':
    'The domain {domain} belongs to the team {team}, under the certificate {certificate}. Delete it there first.',
  'domains-not-allocated': 'The team may not use the certificate {name}. Allocate it to the team first.',
  'domains-used-by-others': '{holder} already serves {host}, which is under {domain}. Have that team remove it first.',
  'domains-unknown': 'There is no domain {domain} yet. Add it under its certificate.',
  'domains-in-use': '{holder} serves a host under the domain {domain}. Remove it from that service first.',
  'domains-elsewhere':
    'The host {host} is in a domain of another team. Choose another host, or ask your administrator.',

  // Screens
  'certificates-ui-about':
    'Certificates with their private keys, which teams use for the hosts of their load balancers and ingresses. A key is never shown again.',
  'certificates-ui-add': 'Add certificate',
  'certificates-ui-add-about':
    'Enter the certificate as its authority sent it. What it is for and how long is read from it.',
  'certificates-ui-renew': 'Replace',
  'certificates-ui-renew-title': 'Replace the certificate {name}',
  'certificates-ui-renew-about':
    'Services that use the certificate get the new one by themselves. It must be for all domains under it, and all hosts in use.',
  'certificates-ui-none': 'No certificates',
  'certificates-ui-none-memo': 'With a certificate, teams serve hosts by HTTPS and never see its private key',
  'certificates-ui-search': 'Search names and hosts',
  'certificates-ui-name': 'Name',
  'certificates-ui-certificate': 'Certificate',
  'certificates-ui-certificate-help': 'PEM: the certificate first, then those that signed it, without the root',
  'certificates-ui-key': 'Private key',
  'certificates-ui-key-help': 'PEM, without a passphrase. It is stored encrypted.',
  'certificates-ui-names': 'For',
  'certificates-ui-more': '{names} and {count} more',
  'certificates-ui-state': 'State',
  'certificates-ui-all-states': 'All states',
  'certificates-ui-until': 'Valid until',
  'certificates-ui-from': 'Valid from',
  'certificates-ui-days': 'Days left',
  'certificates-ui-subject': 'Subject',
  'certificates-ui-issuer': 'Issuer',
  'certificates-ui-fingerprint': 'Fingerprint (SHA-256)',
  'certificates-ui-teams': 'Teams',
  'certificates-ui-teams-none': 'no team',
  'certificates-ui-teams-help': 'Their services may use the certificate. A team that uses it stays.',
  'certificates-ui-teams-of': 'Teams that may use {name}',
  'certificates-ui-assign': 'Teams',
  'certificates-ui-domains': 'Domains',
  'certificates-ui-services': 'Services',
  'certificates-ui-delete-title': 'Delete the certificate {name}?',
  'certificates-ui-goes-domains': 'its domains: {count}',
  'domains-ui-title': 'Domains of {name}',
  'domains-ui-add': 'Add domain',
  'domains-ui-none': 'No domains',
  'domains-ui-none-memo': 'A domain under this certificate belongs to one team: no other team can open its hosts',
  'domains-ui-search': 'Search domains and teams',
  'domains-ui-domain': 'Domain',
  'domains-ui-domain-help': 'Such as shop.example.com, or *.example.com for all hosts right under a name',
  'domains-ui-team': 'Team',
  'domains-ui-team-none': 'No team yet',
  'domains-ui-give': 'Give to a team',
  'domains-ui-give-title': 'Give {domain} to a team',
  'domains-ui-ways': 'Ways in',
  'domains-ui-created': 'Added',
  'domains-ui-delete-title': 'Delete the domain {domain}?',
}
