/** Jobs of a build: their queue, their files, their place on the screens. */
export const en = {
  'pipelines-wait-agent-os': 'has another operating system than {os}',
  'pipelines-wait-agent-executor': 'does not offer the executor {executor}',
  'pipelines-handed-too-large': 'The jobs of one build hand on at most {limit} GiB. Name fewer or smaller files.',
  'pipelines-ui-jobs-ended': '{ended} of {count} ended',
  'pipelines-ui-job-attempt': 'attempt {attempt}',
  'pipelines-ui-jobs-as-text': 'Jobs are edited as text: choose YAML above.',
  'pipelines-retry-too-old':
    'Build #{number} was run before builds had jobs and cannot be retried. Run it again instead.',
  'pipelines-retry-nothing': 'Nothing of build #{number} has to run again. Choose a job, or run the whole build again.',
  'pipelines-ui-retry': 'Retry',
  'pipelines-ui-retry-title': 'Retry build #{number}?',
  'pipelines-ui-retry-text':
    'What succeeded stays, with its files and outputs. Everything else runs again at the same commit and by the same definition; the logs, artifacts and test results of its earlier attempt are replaced. Stages without jobs run again from their first step. From now on the build deploys with your permissions.',
}
