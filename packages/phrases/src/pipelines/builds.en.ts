/** What the page of a build shows beside its log, how builds run, and what is kept of them. */
export const en = {
  'pipelines-ui-annotations': 'Problems',
  'pipelines-ui-annotations-search': 'Search files and messages',
  'pipelines-ui-annotation-level': 'Level',
  'pipelines-ui-annotation-place': 'File and line',
  'pipelines-ui-annotation-message': 'Message',
  'pipelines-ui-annotation-all': 'All levels',
  'pipelines-ui-annotation-error': 'Error',
  'pipelines-ui-annotation-warning': 'Warning',
  'pipelines-ui-annotation-notice': 'Notice',
  'pipelines-ui-annotations-none': 'No problems found',
  'pipelines-ui-annotations-none-memo':
    'What compilers and linters write about a line of a file is listed here, and where tests failed',
  'pipelines-ui-annotations-later': 'Logs are searched for errors and warnings once the build has ended',
  'pipelines-ui-timeline': 'Timeline',
  'pipelines-ui-timeline-none': 'Nothing has run yet',
  'pipelines-ui-timeline-none-memo': 'Stages, jobs and steps appear here as bars as soon as they begin',
  'pipelines-ui-artifacts-search': 'Search paths',
  'pipelines-ui-artifacts-zip': 'Download as ZIP',
  'pipelines-ui-artifacts-files': '{count} {count:file|files}',
  'pipelines-ui-artifacts-folder': 'Folder',
  'pipelines-ui-artifacts-top': 'All artifacts',

  // How builds run beside one another, what is kept of them, pauses
  'pipelines-superseded': 'Build #{number} of the same branch or tag took its place before it began',
  'pipelines-secret-sealed':
    'The value of the secret {name} cannot be decrypted, because GANTRY_SECRET_KEY is not the key that it was encrypted with. Enter the value of {name} again, or have an administrator start the server with that key, then start the build again.',
  'pipelines-repository-sealed':
    'The password or key for {url} cannot be decrypted, because GANTRY_SECRET_KEY is not the key that it was encrypted with. Enter it again in the settings of the pipeline, or have an administrator start the server with that key, then start the build again.',
  'pipelines-job-unmade':
    'The server could not prepare this job. Start the build again. If the problem persists, give your administrator the number {id}.',
  'pipelines-wait-paused': 'Paused by {name}: builds begin once somebody resumes the pipeline',
  'pipelines-wait-paused-why': 'Paused by {name}: {reason}. Builds begin once somebody resumes the pipeline.',
  'pipelines-wait-lane': 'Waiting for build #{number} of {name}: of these pipelines one build runs at a time',
  'pipelines-build-pinned': 'Build #{number} is pinned. Unpin it first.',
  'pipelines-build-emptied':
    'The steps and files of build #{number} have been removed by the retention of its pipeline. Run it again instead.',
  'keep-days': 'A whole number of days from 0 to 3650. 0 keeps it as long as the build.',
  'pipelines-ui-pause': 'Pause',
  'pipelines-ui-resume': 'Resume',
  'pipelines-ui-pause-title': 'Pause {name}?',
  'pipelines-ui-pause-text':
    'Builds that run go on to their end. New ones wait in the queue, however they are started, until somebody resumes the pipeline.',
  'pipelines-ui-pause-reason': 'Reason',
  'pipelines-ui-pause-reason-help': 'Shown to everyone whose builds wait',
  'pipelines-ui-paused': 'Paused by {name}',
  'pipelines-ui-pin': 'Pin',
  'pipelines-ui-unpin': 'Unpin',
  'pipelines-ui-pinned': 'pinned',
  'pipelines-ui-emptied': 'Its steps, logs and files were removed by the retention of the pipeline',
  'pipelines-ui-logs-removed': 'Its logs were removed by the retention of the pipeline',
  'pipelines-ui-artifacts-removed': 'Its artifacts were removed by the retention of the pipeline',
  'pipelines-ui-concurrency-scope': 'One at a time among',
  'pipelines-ui-concurrency-pipeline': 'builds of this pipeline',
  'pipelines-ui-concurrency-group': 'builds of its group',
  'pipelines-ui-concurrency-name': 'pipelines with the same name here',
  'pipelines-ui-concurrency-scope-help': 'Counts only while builds may not run at the same time',
  'pipelines-ui-concurrency-lock': 'Shared name',
  'pipelines-ui-concurrency-lock-help': 'For instance the environment that they deploy to',
  'pipelines-ui-newest-only': 'Only the newest',
  'pipelines-ui-newest-only-help':
    'A new build ends older ones of the same branch or tag that are still waiting to begin',
  'pipelines-ui-retention': 'Retention',
  'pipelines-ui-retention-about':
    'Builds stay in lists and reports; what they have is removed. Pinned builds keep everything. 0 sets no limit.',
  'pipelines-ui-keep-days': 'Everything, for days',
  'pipelines-ui-keep-log-days': 'Logs, for days',
  'pipelines-ui-keep-artifact-days': 'Artifacts, for days',
  'pipelines-ui-commit-status': 'Tell the forge',
  'pipelines-ui-commit-status-help':
    'The forge shows beside each commit how its build goes. The password of the repository must be a token that may write statuses.',
  'pipelines-ui-commit-status-none': 'Tell nothing',
}
