/** The versions of a pipeline, and drafts that run without being saved. */
export const en = {
  'pipelines-ui-run-draft': 'Run draft',
  'pipelines-ui-draft': 'Draft',
  'pipelines-ui-draft-not-saved': 'A draft that was not saved',
  'pipelines-ui-draft-runs': 'The draft runs as a build of its own; the pipeline is not changed.',
  'pipelines-ui-definition': 'Stages',
  'pipelines-ui-versions-about':
    'Every change of the stages or settings is a version. Any two can be compared, and the stages of one opened as a draft.',
  'pipelines-ui-versions-none': 'No versions yet',
  'pipelines-ui-version': 'Version',
  'pipelines-ui-version-number': 'Version {revision}',
  'pipelines-ui-version-current': 'Current',
  'pipelines-ui-version-is-current': 'This is the version in force.',
  'pipelines-ui-version-created': 'Pipeline created',
  'pipelines-ui-version-changed': 'Changed',
  'pipelines-ui-version-by': 'By',
  'pipelines-ui-version-at': 'Time',
  'pipelines-ui-version-compare': 'Compare versions',
  'pipelines-ui-version-restore': 'Open stages as a draft',
  'pipelines-ui-version-from': 'From',
  'pipelines-ui-version-to': 'To',
  'pipelines-ui-version-same': 'The two versions do not differ.',
  'pipelines-ui-version-fields': 'Fields that differ',
  'pipelines-ui-version-field': 'Field',
  'pipelines-ui-version-draft':
    'The stages of version {revision} ({by}, {time}) as a draft. They take effect when you save them.',
}
