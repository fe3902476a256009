/** Errors of a git repository, or of the git program, on the server and on agents; and credentials of repositories. */
export const en = {
  'git-missing':
    'git is not installed on this server. Install git 2.37 or later: it is needed for every repository, including the sample’s.',
  'git-too-old': 'git {version} on this server is too old. Install git {needed} or later.',
  'git-url-invalid':
    'This is not a valid address of a git repository. It should look like https://host/path/repository.git or git@host:path/repository.git.',
  'git-url-credentials': 'The address must not contain a username or password. Enter them in their own fields.',
  'git-not-found': 'There is no repository at {url}, or these credentials cannot access it. Check the address.',
  'git-wrong-password':
    '{host} rejected the username or password. Check them. Many hosts require an access token instead of a password.',
  'git-password-needed': '{host} requires a username and password. The repository is private, or does not exist.',
  'git-forbidden': '{host} does not allow this user to read the repository. Ask its owner for access.',
  'git-no-repository':
    'There is no git repository at {url}. Use the address that the host provides for cloning over HTTP.',
  'git-ssh-missing':
    'ssh is not installed on the machine that runs git. Install OpenSSH’s client there, or use the HTTPS address of the repository.',
  'git-key-needed': '{host} requires a private key. Enter one whose public key the host knows.',
  'git-key-refused':
    '{host} rejected the private key. Add its public key to the repository or the account there, and check the user in the address.',
  'git-key-invalid':
    'ssh cannot read the private key. Enter the whole file that ssh-keygen made, without a passphrase.',
  'git-host-key-unknown':
    'The host key of {host} is not known yet. Check the connection first, and compare the fingerprint with the one that the host publishes.',
  'git-host-key-changed':
    'The host key of {host} is not the pinned one. Somebody may be intercepting the connection. If the host has a new key, clear the pinned one, check the connection again, and compare the fingerprint.',
  'git-moved': '{url} redirects to another address. Enter the final address instead.',
  'git-server-error': '{host} reported an internal error. Try again later, or ask its administrator.',
  'git-too-many-refs': 'The repository has too many branches and tags to list',
  'git-failed': 'git could not read {url}. The server’s log shows the cause.',
  'git-branch-invalid': 'This is not a valid name of a branch or tag',
  'git-branch-unknown': 'The repository has no branch or tag named {branch}. Choose one that exists, or push it first.',
  'pipelines-ui-private-key': 'Private key',
  'pipelines-ui-private-key-help':
    'A key without a passphrase whose public key the host knows, best one for this repository alone. Stored encrypted and never shown again.',
  'pipelines-ui-private-key-kept': 'The stored key is kept as long as the host of the repository does not change',
  'pipelines-ui-known-hosts': 'Host key',
  'pipelines-ui-known-hosts-help':
    'The check enters it. Compare its fingerprint with the one that the host publishes: builds trust no other key.',
  'pipelines-ui-host-key-met': 'Host key {type}, fingerprint',
  'git-empty': 'The repository has no commits yet. Push a branch first.',

  'credential-name-taken': 'The team already has a credential named {name}. Choose another name.',
  'credential-changed': 'Somebody else changed the credential {name} meanwhile. Load it again, then make your change.',
  'credential-in-use':
    'The credential {name} is used by {count} {count:pipeline|pipelines}: {pipelines}. Choose other credentials in their settings first.',
  'credential-secret-required': 'Enter the secret: there is none stored for this host and kind',
  'credential-sealed':
    'The secret of the credential {name} cannot be decrypted, because GANTRY_SECRET_KEY is not the key that it was encrypted with. Enter it again, or have an administrator start the server with that key.',
  'credential-secret-format': 'A password or token has one line of at most 4,096 characters',
  'credential-host-format': 'Enter a host such as git.example.org, with its port if it is not the usual one',
  'credential-other-host':
    'The credential {name} is for {host} alone. Choose one for the host of the repository, or store one.',
  'credential-wrong-kind-ssh': 'The credential {name} is a private key. Enter the SSH address of the repository.',
  'credential-wrong-kind-https':
    'The credential {name} is a password or token. Enter the HTTPS address of the repository.',
  'pipelines-ui-credentials-about': 'Passwords, tokens and private keys, stored once and chosen by repositories',
  'pipelines-ui-credential': 'Credentials',
  'pipelines-ui-credential-own': 'Of this pipeline alone',
  'pipelines-ui-credential-own-help': 'Or those that your team has stored for this host',
  'pipelines-ui-credential-create': 'Store a credential',
  'pipelines-ui-credential-edit': 'Edit the credential {name}',
  'pipelines-ui-credential-delete-title': 'Delete the credential {name}?',
  'pipelines-ui-credential-goes': 'The secret, which cannot be shown again',
  'pipelines-ui-credential-used': 'Used by {count} {count:pipeline|pipelines}',
  'pipelines-ui-scope-branches': 'Branches',
  'pipelines-ui-scope-steps': 'Steps',
  'pipelines-ui-scope-all': 'All',
  'pipelines-ui-no-credentials': 'No credentials yet',
  'pipelines-ui-no-credentials-memo': 'Store one here to use it in several pipelines and to change it in one place',
  'pipelines-ui-credential-kind': 'Kind',
  'pipelines-ui-credential-password': 'Username and password',
  'pipelines-ui-credential-token': 'Access token',
  'pipelines-ui-credential-ssh': 'Private key (SSH)',
  'pipelines-ui-credential-host': 'Host',
  'pipelines-ui-credential-host-help': 'The only host that it is sent to',
  'pipelines-ui-credential-secret': 'Secret',
  'pipelines-ui-credential-secret-help': 'The password, the token, or the whole private key without a passphrase',
}
