/** Promoting a stack to another cluster, or under another name. */
export const en = {
  'promotions-itself': 'The stack {stack} cannot be promoted to itself. Choose another cluster or another name.',
  'promotions-source-empty': 'The stack {stack} has no services that could be promoted',
  'promotions-source-unsettled':
    'The service {name} of {stack} is not settled. Wait until it is stable, or confirm or end its upgrade, and promote then.',
  'promotions-no-digest':
    'Of {image}, which {name} runs, no digest is known, so that the same image could not be promised. Restart the service once its registry answers, or name the image by its digest.',
  'promotions-setting-unknown': 'The service {service} of {stack} has no value {key} that may differ. Leave it out.',
  'promotions-value-wrong': 'A value that was given does not fit. {reason}',
  'promotions-nothing-changes':
    'The stack {stack} already runs exactly what {source} runs: there is nothing to promote',

  'promotions-ui-open': 'Clone or promote',
  'promotions-ui-title': 'Clone or promote {stack}',
  'promotions-ui-memo':
    'The same images, by digest, run in another cluster or under another name. What belongs to a place is filled in next.',
  'promotions-ui-target-name-help':
    'A stack of this name that is there is changed, as one release. Otherwise it is made.',
  'promotions-ui-next': 'Next',
  'promotions-ui-back': 'Back',
  'promotions-ui-new': 'The stack {stack} is made on {cluster}.',
  'promotions-ui-existing': 'The stack {stack} on {cluster} is changed. Values of its own stay unless you change them.',
  'promotions-ui-all': 'Show all values (#{count})',
  'promotions-ui-few': 'Show only what usually differs',
  'promotions-ui-no-settings': 'Nothing of this stack depends on its place.',
  'promotions-ui-secret-source': 'Left empty, it is the secret of {stack}',
  'promotions-ui-secret-target': 'Left empty, its own secret stays',
  'promotions-ui-was': 'at {stack}: {value}',
  'promotions-ui-remove': 'Remove services that only the target has',
  'promotions-ui-promote': 'Promote',
  'promotions-ui-preview-title': 'Promote {stack} to {target}',
  'promotions-ui-done': '{stack} is being promoted to {target}',
  'promotions-ui-kind-replicas': 'Instances',
  'promotions-ui-kind-variable': 'Variable {name}',
  'promotions-ui-kind-file': 'File {name}',
  'promotions-ui-kind-claim': 'Volume claim of {name}',
  'promotions-ui-kind-folder': 'Host folder of {name}',
  'promotions-ui-kind-class': 'Storage class of {name}',
  'promotions-ui-kind-group': 'Ingress group',
  'promotions-ui-kind-host': 'Host name',
  'promotions-ui-kind-port': 'Port of {name}',
  'promotions-ui-kind-address': 'Addresses',
  'promotions-ui-kind-certificate': 'Certificate',
  'promotions-ui-kind-key': 'Private key',
}
