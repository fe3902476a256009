/** Image registries and images. */
export const en = {
  // Refusals
  'images-registry-shared': 'The registry {name} is shared by the platform. Only an administrator can change it.',
  'images-registry-of-harbor':
    'The registry {name} is a Harbor in which the team has projects. It comes and goes with the projects, and cannot be changed here.',
  'images-registry-simulated':
    'The registry {name} is the simulated one of the product. Every team uses it, and it cannot be changed.',
  'images-registry-name-taken': 'A registry named {name} already exists. Choose another name.',
  'images-registry-sealed':
    'The password of the registry {url} cannot be decrypted, because GANTRY_SECRET_KEY is not the key that it was encrypted with. Enter it again, or have an administrator start the server with that key.',
  'images-registry-in-use-services': 'The registry {name} is used by these services: {services}. Change them first.',
  'images-registry-in-use': 'The registry {name} is used by these pipelines: {pipelines}. Change them first.',
  'images-outside-prefix':
    'The repository {image} of the simulated registry does not belong to your team. Choose a name that begins with {prefix}.',

  // Problems in answers of a registry, or without an answer
  'registry-url-invalid':
    'This is not a valid address of a registry. It should look like https://host or https://host:port, without a path.',
  'registry-ca-invalid':
    'The certificate authority must be PEM text with certificates, each beginning with -----BEGIN CERTIFICATE-----.',
  'registry-wrong-password': '{host} rejected the username or password. Check them.',
  'registry-password-needed': '{host} requires a username and password. Enter them.',
  'registry-forbidden': '{host} does not allow this user to do this. Ask its administrator for the permission.',
  'registry-not-one': 'The server at {host} is not an image registry. Check the address and the port.',
  'registry-realm':
    '{host} requires logging in at {realm} without encryption, so the password was not sent. Have its token address changed to https.',
  'registry-error': '{host} reported an internal error (status {status}). Try again later, or ask its administrator.',
  'registry-token-refused':
    'The token service {service} of {host} rejected the username or password. Check them. Its answer: {answer}',
  'registry-token-error':
    'The token service {service} of {host} issued no token. Try again later, or ask its administrator. Its answer: {answer}',
  'registry-tag-dangling':
    'Dangling: the manifest that the tag {tag} names no longer exists on {host}. Push the image again with this tag.',
  'registry-busy': '{host} is receiving too many requests. Try again in a minute.',
  'registry-resting':
    '{host} has failed several times in a row, so requests to it are paused. Try again in {seconds} {seconds:second|seconds}.',
  'registry-image-unknown': '{host} has no image {image}. Check its name and tag, or push the image first.',
  'registry-image-invalid': 'This is not a valid image name. It should look like team/service:1.0, in lowercase.',
  'registry-image-broken': 'The image {image} is incomplete, or of a type that cannot be displayed. Push it again.',
  'registry-wrong-digest':
    '{host} returned data that does not match the requested digest. Ask its administrator to check its storage.',
  'registry-no-catalogue': '{host} does not list its repositories (status {status}). Enter the name of the repository.',
  'registry-no-deletion': '{host} does not allow images to be deleted. Ask its administrator to enable deletion.',

  // Screens
  'images-ui-dangling': '{tag} (dangling: its manifest no longer exists)',
  'images-ui-about':
    'The registries that image steps push to and clusters pull from: the team’s own ones, and those shared by the platform',
  'images-ui-add': 'Add registry',
  'images-ui-edit': 'Edit {name}',
  'images-ui-name': 'Name',
  'images-ui-url': 'URL',
  'images-ui-url-help': 'The address of the registry without a path, for example https://registry.example.org',
  'images-ui-username': 'Username',
  'images-ui-anonymous': 'anonymous',
  'images-ui-password': 'Password or token',
  'images-ui-password-help': 'Stored encrypted and never shown again',
  'images-ui-ca': 'Certificate authority',
  'images-ui-ca-help':
    'PEM, if the certificate of the registry is signed by an authority of your own. The hosts of clusters must trust it too, to pull from there.',
  'images-ui-password-kept': 'The stored password is kept as long as the host of the registry does not change',
  'images-ui-owner': 'Belongs to',
  'images-ui-own': 'this team',
  'images-ui-shared': 'the platform',
  'images-ui-simulated': 'the sandbox (simulated)',
  'images-ui-shared-only': 'Shared by the platform. Only an administrator can change it.',
  'images-ui-created-at': 'Added',
  'images-ui-verify': 'Check connection',
  'images-ui-delete-title': 'Delete the registry {name}?',
  'images-ui-delete-text': 'Its images are not affected. A registry that is used by a pipeline cannot be deleted.',
  'images-ui-none': 'No registries yet',
  'images-ui-none-memo':
    'Add the registry that your images are pushed to. The connection and the login are checked before it is saved.',
  'images-ui-platform-about':
    'The registries that the platform shares. A team uses those that are assigned to it, besides its own.',
  'images-ui-platform-none-memo':
    'Add a registry that several teams use, and assign it to them. The connection and the login are checked before it is saved.',
  'images-ui-teams': 'Teams',
  'images-ui-teams-all': 'all teams',
  'images-ui-teams-none': 'no team yet',
  'images-ui-teams-of': 'Teams that use {name}',
  'images-ui-teams-help':
    'Members push to it and pull from it with the stored login. A team whose pipelines or services use it cannot be removed.',
  'images-ui-assign': 'Assign to teams',
  'images-ui-simulated-only': 'The simulated registry of the product. Every team uses it, and it cannot be changed.',
  'images-ui-sandbox-name': '{name} (simulated)',
  'images-ui-none-to-choose': 'The team has no registry yet. Add one under Third-party registries.',
  'images-ui-path-help': 'The path of the image in the registry, in lowercase',
  'images-ui-path-in-prefix':
    'The path of the image in the registry, in lowercase. Your team’s images begin with {prefix}.',
}
