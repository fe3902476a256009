/** Jobs of a build: their queue, their files, their place on the screens. */
export const en = {
  'pipelines-wait-agent-os': 'has another operating system than {os}',
  'pipelines-wait-agent-executor': 'does not offer the executor {executor}',
  'pipelines-handed-too-large': 'The jobs of one build hand on at most {limit} GiB. Name fewer or smaller files.',
  'pipelines-ui-jobs-ended': '{ended} of {count} ended',
  'pipelines-ui-job-attempt': 'attempt {attempt}',
  'pipelines-ui-jobs-as-text': 'Jobs are edited as text: choose YAML above.',
}
