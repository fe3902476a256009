/** The registry screens. */
export const en = {
  'images-ui-about':
    'Where image steps push to and clusters pull from: the team’s own registries, and those that the platform shares.',
  'images-ui-add': 'Add registry',
  'images-ui-edit': 'Change {name}',
  'images-ui-name': 'Name',
  'images-ui-url': 'URL',
  'images-ui-url-help': 'The registry’s address without a path, for example https://registry.example.org.',
  'images-ui-username': 'User name',
  'images-ui-anonymous': 'anonymous',
  'images-ui-password': 'Password or token',
  'images-ui-password-help': 'It is stored encrypted and never shown again.',
  'images-ui-password-kept': 'The stored one is kept while the registry stays on the same host.',
  'images-ui-owner': 'Belongs to',
  'images-ui-own': 'this team',
  'images-ui-shared': 'the platform',
  'images-ui-simulated': 'the sandbox (simulated)',
  'images-ui-shared-only': 'The platform shares it; only an administrator changes it',
  'images-ui-created-at': 'Added',
  'images-ui-verify': 'Check connection',
  'images-ui-delete-title': 'Delete the registry {name}?',
  'images-ui-delete-text': 'Its images stay where they are. It is refused while a pipeline uses the registry.',
  'images-ui-none': 'No registries yet',
  'images-ui-none-memo':
    'Add the registry that your images are pushed to. It is reached and signed in to before it is saved.',
  'images-ui-sandbox-name': '{name} (simulated)',
  'images-ui-none-to-choose': 'The team has no registry yet. Add one under Third-party registries',
} as const
