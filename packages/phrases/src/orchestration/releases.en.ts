/** Steps that deploy charts and versions of products. */
export const en = {
  'pipelines-ui-step-helm': 'Helm chart',
  'pipelines-ui-step-blueprint': 'Blueprint',
  'pipelines-ui-helm-stack-help': 'The stack that the release lives in',
  'pipelines-ui-helm-release': 'Release',
  'pipelines-ui-helm-release-help': 'Upgraded if the stack has a release of that name; otherwise installed.',
  'pipelines-ui-helm-repository': 'Chart repository',
  'pipelines-ui-helm-chart': 'Chart',
  'pipelines-ui-helm-version': 'Version of the chart',
  'pipelines-ui-helm-values': 'Values (YAML)',
  'pipelines-ui-helm-values-help':
    'What differs from the chart’s values and those of the last deployment. {output} stands for an output, {variable} for a variable.',
  'pipelines-ui-blueprint-stack-help': 'This stack is upgraded, with all services of the blueprint.',
  'pipelines-ui-blueprint-which': 'Product and version',
  'pipelines-ui-blueprint-inputs': 'Inputs',
  'pipelines-ui-blueprint-inputs-help':
    '{output} stands for an output, {variable} for a variable. Secret inputs that are left out keep their values.',
  'pipelines-ui-blueprint-input-add': 'Add input',
  'pipelines-ui-blueprint-confirm': 'Confirm the release when it is ready',
  'pipelines-lint-chart-repository':
    'The step {step} takes a chart from a repository that is gone or not assigned to the team. Choose another one.',
  'pipelines-lint-blueprint': 'The step {step} deploys a blueprint that is gone. Choose another one.',
  'step-helm-repository': 'Choose a chart repository.',
  'step-blueprint-required': 'Choose a product and version.',
}
