/** Blueprints: the versions of products, and deployments of them. */
export const en = {
  // Refusals
  'blueprints-template-required': 'The template is empty. Write at least one service.',
  'blueprints-template-too-long': 'A template has at most 500,000 characters',
  'blueprints-template-wrong': 'TOSCA template format incorrect. Line {line}, column {column}: {reason}',
  'blueprints-yaml-wrong': 'YAML wrong. Line {line}, column {column}: {reason}',
  'blueprints-version-taken':
    'Duplicate version number: the product already has a version {version}. Choose another one.',
  'blueprints-changed-since':
    '{by} has saved {name} in the meantime: it is now at revision {revision}. Compare both, and save again on top of it.',
  'blueprints-translate-version':
    'Templates are translated to the version {platform} of the platform, not to {version}',
  'blueprints-product-required':
    'The stack {stack} belongs to no product. Choose the product whose version it is to be.',
  'blueprints-stack-empty': 'The stack {stack} has no services that could be saved',
  'blueprints-input-missing': 'The input {name} is missing. Give it a value.',
  'blueprints-input-type': 'The input {name} must be of the type {type}',
  'blueprints-input-value': 'The input {name} must be one of: {values}',
  'blueprints-input-unknown': 'The blueprint has no input {name}. Leave it out.',
  'blueprints-input-secret':
    'A secret of the build would be shown as the input {name}. Make it an input of the type secret, or leave the secret out.',
  'blueprints-empty': 'The blueprint {version} has no services. Add one before it is deployed.',
  'blueprints-no-istio':
    'This cluster has no Istio: it does not know its kinds of objects. Deploy without Istio, or have it installed first.',
  'blueprints-not-settled':
    'The service {name} is not settled. Wait until it is stable, mend it or delete it, and upgrade then.',
  'blueprints-nothing-changes':
    'The stack {stack} already runs exactly what {version} says: there is nothing to upgrade',
  'blueprints-in-release':
    'The version {version} is being released in the stack {stack}. Confirm that release or go back first.',
  'blueprints-release-open': 'The stack {stack} has a release that waits for a decision. Confirm it or go back first.',
  'blueprints-no-release': 'The stack {stack} has no release that waits for a decision',
  'blueprints-release-returned':
    'Somebody has gone back from the release of the stack {stack}. Start a new build to upgrade it again.',
  'blueprints-release-ready':
    'Everything that the release of {stack} brings is ready: it can no longer be cancelled. Confirm it or roll it back.',
  'blueprints-release-not-ready':
    'Not everything that the release of {stack} brings is ready. Wait until it is, or cancel the release.',
}
