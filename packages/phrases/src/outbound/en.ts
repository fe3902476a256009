export const en = {
  'outbound-refused':
    'This address cannot be used. It must be an http or https address that answers in time and lies neither on this machine nor in a reserved network. An administrator can open more with GANTRY_OUTBOUND_ALLOW.',
  'outbound-unknown-host':
    'The host name {host} is unknown. Check its spelling, or ask whether this server can resolve it.',
  'outbound-unreachable':
    '{host} refuses the connection or cannot be reached. Check the address and the port, and whether the server runs.',
  'outbound-timeout': '{host} did not answer in time. Try again, or check whether a firewall stands between.',
  'outbound-tls': 'No secure connection to {host} can be made. Check its TLS settings.',
  'outbound-tls-expired': 'The certificate of {host} has expired or is not valid yet. Renew it there.',
  'outbound-tls-name': 'The certificate of {host} is made out to another name. Use the name that it carries.',
  'outbound-tls-untrusted':
    'The certificate of {host} is not signed by a known authority. An administrator can add its authority with GANTRY_CA_FILE.',
  'outbound-tls-missing': '{host} does not speak TLS on this port. Use an http address, or the port for https.',
  'outbound-broken':
    '{host} broke the connection off or sent something that is not HTTP. Check the address and the port.',
  'outbound-too-large': 'The answer of {host} is larger than {limit} and was not read.',
  'outbound-redirect': '{host} redirects to another address. Enter the address that it leads to.',
  'outbound-status': '{host} answered with status {status}.',
  'outbound-not-json': 'The answer of {host} is not what was expected. Check that the address is the one of its API.',
} as const
