/** Steps that the server runs itself: HTTP calls, other pipelines. */
export const en = {
  'pipelines-ui-step-http': 'HTTP call',
  'pipelines-ui-step-pipeline': 'Pipeline',
  'pipelines-ui-http-method': 'Method',
  'pipelines-ui-http-url': 'Address',
  'pipelines-ui-http-url-help':
    'Here, in headers and in the body, {output} stands for an output and {variable} for a variable.',
  'pipelines-ui-http-statuses': 'Statuses that pass',
  'pipelines-ui-http-statuses-help': 'Empty: 200 to 299. Redirects are not followed.',
  'pipelines-ui-http-timeout': 'Seconds to wait for the answer',
  'pipelines-ui-http-headers': 'Headers',
  'pipelines-ui-http-headers-help': 'Store tokens as secret variables and name them here.',
  'pipelines-ui-http-header-add': 'Add header',
  'pipelines-ui-http-body': 'Body',
  'pipelines-ui-pipeline-which': 'Pipeline to start',
  'pipelines-ui-pipeline-help': 'Another pipeline of the team. It runs for whoever this build runs for.',
  'pipelines-ui-pipeline-branch-help': 'Empty: the branch of its settings.',
  'pipelines-ui-pipeline-wait': 'Wait for its build',
  'pipelines-ui-pipeline-wait-help': 'The step ends as that build does, and holds a slot of its agent until then.',
  'pipelines-ui-pipeline-parameter-add': 'Add parameter',
  'pipelines-lint-pipeline': 'The step {step} starts a pipeline that is gone. Choose another one.',
  'pipelines-lint-circle':
    'The step {step} starts a pipeline that leads back to this one: {way}. Choose another one, or break the circle.',
  'pipelines-step-pipeline-gone': 'The pipeline to start does not exist any more. Choose another one in the step.',
  'pipelines-step-circle':
    'This build came from the pipeline that the step would start: {way}. Remove the step from one of them.',
  'pipelines-step-too-deep':
    'At most {most} pipelines may start one another: {way}. Start some of them in another way.',
  'step-http-url': 'Enter an address that begins with http:// or https://.',
  'step-http-header': 'A header has a name without spaces, and a value of one line.',
  'step-http-status': 'Statuses are from 100 to 599.',
  'step-http-timeout': 'Enter 1 to 120 seconds.',
  'step-pipeline-required': 'Choose a pipeline.',
  'agents-http-status':
    'The address answered with the status {status}, which is none that passes. The log shows the answer.',
  'agents-pipeline-failed': 'Build #{number} of the pipeline {name} did not succeed. Open it to see why.',
}
