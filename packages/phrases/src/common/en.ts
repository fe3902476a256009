/** Texts of the kernel and the http layer: refusals that any call can meet. */
export const en = {
  'server-error':
    'Something went wrong on the server. Try again. If the problem persists, give your administrator the number {requestId}.',
  'request-invalid': 'The request is not valid: {problem}',
  'request-not-json': 'The request body is not valid JSON',
  'request-illegal-key': 'The request contains a key that is not allowed: {name}',
  'request-duplicate-key': 'The request contains the key {name} twice',
  'request-two-hosts': 'The request contains the Host header more than once',
  'request-number-too-large': 'The request contains a number that is too large to be stored. Check its IDs.',
  'request-illegal-character':
    'The request contains a character that cannot be stored: a NUL, or half of a character, such as a cut-off emoji. Remove it.',
  'content-encoding-unsupported': 'Send the body uncompressed, or compressed with zstd',
  'body-not-zstd':
    'The body does not match its Content-Encoding: it is not zstd. Send it uncompressed, or compress it with zstd.',
  'body-encoding-unsupported': 'This body must not be compressed. Send it uncompressed.',
  'content-type-unsupported': 'Send the request body as application/json',
  'version-unsupported': 'This version of the API is not available. Use {offered}.',
  'body-too-large': 'The request is larger than {limit}, the maximum for this call',
  'path-missing': 'This call does not exist: {method} {path}',
  'request-headers-too-large': 'The address and headers of this request exceed 16 kB. Shorten them.',
  'request-not-http': 'This is not a readable HTTP request. Use a client that supports HTTP/1.1.',
  'request-too-slow': 'The request arrived too slowly. Send it again.',
  'path-invalid': 'The address is malformed, or a part of it is too long',
  'confirm-name-missing': 'Confirm the deletion: add the name of the object to the address as ?confirm=',
  'confirm-name-mismatch':
    'The object is named {name}, but the call confirms another name. To delete it, send confirm={name}.',
  'action-unknown': 'Add one of these actions to the address as ?action=: {actions}',
  'method-not-allowed': 'This address does not support {method}. Use {allowed}.',
  'edit-on-older': 'Someone else has changed this in the meantime. Reload and make your change again.',
  'resource-missing': 'This does not exist, or it belongs to a team that you are not a member of',
  'session-over': 'Please log in again',
  'not-signed-in': 'Please log in first',
  'admin-only': 'Only administrators can do this',
  'agent-only': 'Only build agents can make this call',
  'token-other-team': 'This API token belongs to another team',
  'token-not-here': 'An API token cannot be used for this. Log in instead.',
  'user-team': 'You are not a member of this team',
  'permission-missing':
    'This requires the permission {permission}. Roles of the team with this permission: {roles}. Leaders who can give you a role: {leaders}',
  'permission-missing-nobody':
    'This requires the permission {permission}, which no role of the team has yet. Leaders who can change that: {leaders}',
  'permission-missing-admin':
    'This requires the permission {permission}. The team has no leader who could grant it. Ask an administrator.',
  'permission-missing-anywhere':
    'This requires the permission {permission}, which you do not have in any of your teams. Ask a leader of one of them.',
  'permission-missing-token':
    'The API token {alias} does not have the permission {permission}. Create a token that has it, or use another one.',
  'permission-missing-maker':
    'The creator of the API token {alias} no longer has the permission {permission}, so the token cannot use it either. Use a token of someone who has it.',
  'permission-missing-view':
    'You are viewing the team as the role {role}, which does not have the permission {permission}',
  'permission-missing-system':
    'This requires the system permission {permission}. System roles with this permission: {roles}. An administrator can assign you one.',
  'permission-missing-system-nobody':
    'This requires the system permission {permission}. Ask an administrator for a system role with this permission.',
  'view-as-read-only':
    'You are viewing the team as the role {role}, so you cannot change anything. Stop viewing as this role to continue.',
  'initial-password-first': 'Change your password first: it is still the initial password, or it has expired',
  'cross-site-refused': 'This call changes data and cannot be made from another website',
  'header-required': 'This call requires the Authorization header',
  'ticket-invalid': 'The ticket has already been used, has expired, or is for another purpose. Request a new one.',
  'rate-limited': 'Too many requests. Try again in {seconds} {seconds:second|seconds}.',
  'server-busy': 'The server is busy. Try again in a few seconds.',
  'server-draining': 'The server is restarting. Try again in a few seconds.',
  'database-away': 'The database is not responding. Try again in a few seconds.',
  'database-slow': 'The database took too long, and nothing was changed. Narrow the request, or try again later.',
  'database-read-only': 'The database is currently read-only. Try again later.',
  'changed-meanwhile': 'Someone else changed this at the same time. Reload and try again.',
  'related-meanwhile':
    'The object that this belongs to has just been deleted, or is still in use. Reload and try again.',
  'origin-refused': 'This page does not belong to this platform, so it cannot open a connection',
  'keys-rotated':
    'The secrets in {count} {count:row|rows} {count:was|were} encrypted again. GANTRY_SECRET_KEY can now contain the first key alone.',
  'id-invalid': 'This is not a valid ID',
  'page-invalid': 'The page must be a number from 1 to 1,000,000',
  'page-size-invalid': 'A page can have 1 to 9,999 entries; -1 stands for the maximum',
  'field-required': 'This field is required',
  'field-type': 'This must be of the type {expected}',
  'field-invalid': 'This value is not valid',
  'field-unknown': 'Unknown fields: {keys}',
  'field-one-of': 'This must be one of: {values}',
  'field-too-short': 'At least {minimum} {minimum:character|characters}',
  'field-too-long': 'At most {maximum} {maximum:character|characters}',
  'field-too-few': 'At least {minimum} {minimum:entry|entries}',
  'field-too-many': 'At most {maximum} {maximum:entry|entries}',
  'field-too-small': 'At least {minimum}',
  'field-too-big': 'At most {maximum}',
  'field-format': 'The format is not valid ({format})',
  'push-duplicate': 'The topic {topic} is already subscribed',
  'push-not-subscribed': 'The topic {topic} is not subscribed',
  'push-topic-unknown': 'The topic {topic} does not exist, or you have no permission to see it',
  'push-topics-full': 'A connection can subscribe to at most {maximum} {maximum:topic|topics}',
  'push-message-invalid': 'This message cannot be understood',
  'push-resume-lost': 'Too much has changed since then. Reload the page.',

  // Outbound addresses
  'outbound-refused':
    'This address cannot be used. It must be an http or https address that responds in time and is neither on this machine nor in a reserved network. An administrator can allow more addresses with GANTRY_OUTBOUND_ALLOW.',
  'outbound-unknown-host':
    'The host name {host} cannot be resolved. Check its spelling, and whether this server can resolve it.',
  'outbound-unreachable':
    '{host} cannot be reached or refuses the connection. Check the address and the port, and that the server is running.',
  'outbound-timeout': '{host} did not answer in time. Try again, or check whether a firewall blocks the connection.',
  'outbound-tls': 'A secure connection to {host} could not be established. Check its TLS settings.',
  'outbound-tls-expired': 'The certificate of {host} has expired or is not valid yet. Renew it on that server.',
  'outbound-tls-name': 'The certificate of {host} was issued for a different name. Use the name in the certificate.',
  'outbound-tls-untrusted':
    'The certificate of {host} is not signed by a trusted certificate authority. An administrator can add the CA with GANTRY_CA_FILE.',
  'outbound-tls-missing': '{host} does not support TLS on this port. Use an http address, or the port for https.',
  'outbound-broken': '{host} closed the connection or sent something that is not HTTP. Check the address and the port.',
  'outbound-too-large': 'The response of {host} is larger than {limit} and was not read',
  'outbound-redirect': '{host} redirects to another address. Enter the final address instead.',
  'outbound-status': '{host} answered with status {status}',
  'outbound-not-json': 'The response of {host} is not the expected one. Check that the address is that of its API.',
}
