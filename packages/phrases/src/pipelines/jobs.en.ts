/** Jobs of a build: their queue, their files, their place on the screens. */
export const en = {
  'pipelines-wait-agent-os': 'has another operating system than {os}',
  'pipelines-wait-agent-executor': 'does not offer the executor {executor}',
  'pipelines-wait-agent-cluster': 'no room in its cluster: {why}',
  'pipelines-wait-agent-image': 'not in a cluster where the build image {image} may run: {clusters}',
  'pipelines-wait-agent-old': 'too old for the steps of this job: it has to be updated',
  'pipelines-handed-too-large': 'The jobs of one build hand on at most {limit} GiB. Name fewer or smaller files.',
  'pipelines-ui-jobs-ended': '{ended} of {count} ended',
  'pipelines-ui-job-attempt': 'attempt {attempt}',
  'pipelines-ui-stage-passed-in': 'Passed in attempt {attempt}, not run again',
  'pipelines-ui-attempt-of': 'Attempt {attempt} of {count}, {state}',
  'pipelines-retry-too-old':
    'Build #{number} was run before builds had jobs and cannot be retried. Run it again instead.',
  'pipelines-retry-nothing': 'Nothing of build #{number} has to run again. Choose a job, or run the whole build again.',
  'pipelines-ui-retried-by': 'Retried by',
  'pipelines-ui-retry': 'Retry',
  'pipelines-ui-retry-title': 'Retry build #{number}?',
  'pipelines-ui-retry-text':
    'What succeeded stays, with its files and outputs. Everything else runs again at the same commit and by the same definition; the logs, artifacts, images and test results of its earlier attempt stay readable. Stages without jobs run again from the one that failed, in the workspace that the others left; where it is gone, from the first of them. From now on the build deploys with your permissions.',
  'pipelines-gate-decided':
    'Stage {stage} no longer waits for a decision (it is {state}). Load the build again to see what was decided.',
  'pipelines-gate-once': 'You have decided about stage {stage} already. Somebody else has to decide too.',
  'pipelines-gate-values-changed':
    'Somebody else has filled in other values for stage {stage} meanwhile. Look at the present values, and decide about these.',
  'pipelines-gate-own':
    'This build runs on your word, because you started, retried or pushed it: somebody else has to approve stage {stage}.',
  'pipelines-gate-others': 'Stage {stage} waits for a decision of {who}. Ask one of them.',
  'pipelines-gate-lacking': 'You may not decide about stage {stage}. Ask a leader of the team for a role that may.',
  'pipelines-gate-rejected': '{name} rejected stage {stage}',
  'pipelines-gate-rejected-because': '{name} rejected stage {stage}: {reason}',
  'pipelines-approver-stranger': 'No member or role of this team is called {name}',
  'pipelines-approver-strangers':
    'Stages name approvers who are not of the team: {names}. Name members and roles of the team, or leave them out.',
  'pipelines-gate-expired': 'Nobody decided about stage {stage} within {hours} hours. Retry the build to ask again.',
  'pipelines-ui-gate-manual': 'Stage {stage} starts when somebody lets it',
  'pipelines-ui-gate-approve': 'Stage {stage} needs approval ({count} of {wanted})',
  'pipelines-ui-gate-who': 'By {who}',
  'pipelines-ui-gate-until': 'Expires',
  'pipelines-ui-gate-pass': 'Start stage',
  'pipelines-ui-gate-reject-title': 'Reject stage {stage} and end the build?',
  'pipelines-ui-gate-started': '{name} started stage {stage}',
  'pipelines-ui-gate-passed': '{name} approved stage {stage}',
  'pipelines-ui-gate-rejected': '{name} rejected stage {stage}',
  'pipelines-ui-gate-void': 'no longer counts: the stage was asked about anew, or other values were filled in',
  'pipelines-ui-gate-values': 'These values are what is approved. Other values start the count anew.',
  'pipelines-ui-gate-history': 'Decisions',
  'pipelines-ui-mode-manual': 'started by hand',
  'pipelines-ui-mode-approve': 'needs approval',
  'pipelines-build-image-unknown':
    'The job {job} names a build image, its own or a service’s, that is gone or of another team. Choose another one.',
  'pipelines-ui-job-image': 'Build image',
  'pipelines-ui-job-image-help':
    'What the containers of the job’s steps are made of. Each step begins with the image anew; the workspace and HOME are the job’s.',
  'pipelines-ui-job-services': 'Services',
  'pipelines-ui-job-services-help':
    'Containers beside the job, such as a database. Steps reach each by its name, and begin once its port is open. They share one network: two services cannot have the same port.',
  'pipelines-ui-job-service-add': 'Add service',
  'pipelines-ui-job-service-name': 'Name of service {number}',
  'pipelines-ui-job-service-image': 'Build image of {name}',
  'pipelines-ui-job-service-port': 'Port of {name}',
  'pipelines-ui-job-service-port-short': 'Port',
  'pipelines-ui-job-service-environment': 'Variables of {name}',
}
