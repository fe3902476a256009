/** Triggers, which start builds without a person. */
export const en = {
  'cron-five-fields':
    'Enter five fields separated by spaces: minute, hour, day of the month, month, day of the week. For example 0 3 * * 1-5.',
  'cron-invalid': '{cron} is not a schedule. For example 0 3 * * 1-5 is 3:00 from Monday to Friday.',
  'cron-never': '{cron} never occurs. Check the day and the month.',
  'zone-unknown': 'This time zone is not known. Choose one like Europe/Berlin or Asia/Shanghai.',
  'glob-required': 'Enter a pattern, or remove the empty one',
  'glob-too-long': 'A pattern has at most 200 characters',
  'glob-path-never':
    'No file has such a path. Write it from the root of the repository, without . and .. (for example src/**).',
  'forge-denied':
    '{host} does not allow setting up a webhook with the repository’s password. Store a token there that may administer the repository, or set up the webhook by hand.',
  'forge-not-found':
    '{host} does not know the repository, or does not show it with the stored password. Check its URL, and that it is at this kind of Git host.',
  'forge-refused':
    '{host} refuses the webhook (status {status}). Check that it may call the address of this platform, or set up the webhook by hand.',
  'pipelines-trigger-saver-gone':
    '{name}, for whom this trigger starts builds, no longer exists or is deactivated. Save the trigger yourself to have its builds run for you.',
  'pipelines-trigger-saver-may-not':
    '{name}, for whom this trigger starts builds, may no longer start builds in this team. Save the trigger yourself to have its builds run for you.',
  'pipelines-trigger-most': 'The pipeline already has {count} {count:trigger|triggers}. Delete one first.',
  'pipelines-trigger-circle': 'These pipelines would start each other without end: {way}. Remove one of the triggers.',
  'pipelines-trigger-secret':
    'A trigger cannot contain a value for the secret parameter {name}. Give the parameter a default in the settings.',
  'pipelines-trigger-kind': 'The kind of a trigger cannot be changed. Create another trigger.',
  'pipelines-trigger-changed': '{by} has changed this trigger in the meantime. Reload and make your change again.',
  'pipelines-trigger-no-repository': 'The pipeline has no repository. Enter one in its settings first.',
  'pipelines-trigger-not-http':
    'The Git host is asked over HTTPS, and the pipeline’s repository is reached over SSH. Set up the webhook by hand, or enter the repository’s HTTPS address in the settings.',
  'pipelines-trigger-not-webhook': 'Only a webhook has a secret',
  'pipelines-trigger-duplicate': 'This was reported before, and started one build then',
  'pipelines-trigger-no-event': 'Nothing that starts builds',
  'pipelines-trigger-deleted': '{name} was deleted: there is nothing to build',
  'pipelines-trigger-skip': 'The author asks for no build: {words}',
  'pipelines-trigger-off': 'The trigger is off',
  'pipelines-trigger-other-event': 'The trigger is not for this kind of event',
  'pipelines-trigger-fork': 'Merge request {number} is of a fork, and the trigger is not for forks',
  'pipelines-trigger-after-fork': 'The build is of a fork’s merge request, and no other pipeline starts after one',
  'pipelines-report-unusable':
    'The report cannot be used. {field}: {cause}. Correct that at the Git host, and have it send the report again.',
  'pipelines-report-late':
    'The report is of {time}, and one that is older than {days} {days:day|days} is refused: it could be a repetition. Have the Git host send it again, and check the clocks of both.',
  'pipelines-report-early':
    'The report is of {time}, which has not come yet. Check the clocks of the Git host and of this platform.',
  'pipelines-report-foreign':
    'The report is about the repository {name}, and the pipeline builds {url}. Set the webhook up at that repository, or correct the pipeline’s settings.',
  'pipelines-paths-denied':
    '{host} does not tell which files the merge request changes, so all of them count. Store a password at the pipeline’s repository that may read merge requests.',
  'pipelines-paths-unanswered':
    '{host} did not tell in time which files the merge request changes, so all of them count. Check that this platform reaches it.',
  'pipelines-paths-many': 'The merge request changes more files than are asked for, so all of them count',
  'pipelines-paths-not-http':
    'Which files the merge request changes is asked over HTTPS, and the pipeline has no such repository, so all of them count. Enter its HTTPS address in the settings.',
  'pipelines-trigger-other-ref': 'The trigger is not for {name}',
  'pipelines-trigger-other-paths': 'None of the changed files match the trigger',
  'pipelines-ui-cause-webhook': 'Webhook',
  'pipelines-ui-cause-schedule': 'Schedule',
  'pipelines-ui-cause-pipeline': 'Another pipeline',
  'pipelines-ui-image-run': 'Run a build with this image',
  'pipelines-ui-image-remove': 'Remove from the list',
  'pipelines-ui-image-remove-title': 'Remove this image from the list?',
  'pipelines-ui-image-remove-stays': 'The image stays in its registry, and services keep running it.',
  'pipelines-ui-settings': 'General',
  'pipelines-ui-trigger-is-off': 'off',
  'pipelines-ui-triggers': 'Triggers',
  'pipelines-ui-triggers-about':
    'Triggers start builds automatically, as the user who saved the trigger and with that user’s permissions at that time',
  'pipelines-ui-trigger-add': 'Add trigger',
  'pipelines-ui-trigger-edit': 'Edit trigger',
  'pipelines-ui-trigger-none': 'No triggers yet',
  'pipelines-ui-trigger-none-memo':
    'Builds start by hand only. A trigger starts them on a push, at a time, or after another pipeline.',
  'pipelines-ui-trigger-kind': 'When',
  'pipelines-ui-trigger-kind-webhook': 'On a push, tag or merge request',
  'pipelines-ui-trigger-kind-schedule': 'At set times',
  'pipelines-ui-trigger-kind-pipeline': 'After another pipeline',
  'pipelines-ui-trigger-events': 'Events',
  'pipelines-ui-trigger-push': 'Push',
  'pipelines-ui-trigger-tag': 'Tag',
  'pipelines-ui-trigger-mergeRequest': 'Merge request',
  'pipelines-ui-trigger-branches': 'Branches',
  'pipelines-ui-trigger-branches-help':
    'For merge requests, the target branch. * matches within a name, ** across slashes. Empty: all.',
  'pipelines-ui-trigger-tags': 'Tags',
  'pipelines-ui-trigger-tags-help': 'For example v*. Empty: all.',
  'pipelines-ui-trigger-paths': 'Changed files',
  'pipelines-ui-trigger-paths-help':
    'For example services/shop, and !services/shop/docs for what is left out. A push or merge request counts if it changes one of them, or if the Git host does not list all of its files.',
  'pipelines-ui-trigger-forks': 'Merge requests of forks too',
  'pipelines-ui-trigger-forks-help':
    'Their authors decide what runs. Such builds get no secrets and no credentials, push no images and deploy nothing.',
  'pipelines-ui-trigger-forksWait': 'Builds of forks wait until somebody lets them pass',
  'pipelines-ui-trigger-forksWait-help':
    'Whoever may start builds looks at the change first. Without this, anybody who may open a merge request runs code on your agents.',
  'pipelines-ui-trigger-cron': 'Schedule',
  'pipelines-ui-trigger-cron-help': 'Minute, hour, day of the month, month, day of the week',
  'pipelines-ui-trigger-zone': 'Time zone',
  'pipelines-ui-trigger-next': 'Next builds',
  'pipelines-ui-trigger-next-one': 'Next build',
  'pipelines-ui-trigger-follows': 'Pipeline',
  'pipelines-ui-trigger-on': 'When its build',
  'pipelines-ui-trigger-on-success': 'succeeds',
  'pipelines-ui-trigger-on-any': 'ends in any way',
  'pipelines-ui-trigger-enabled': 'On',
  'pipelines-ui-trigger-parameters': 'Parameters',
  'pipelines-ui-trigger-what': 'Trigger',
  'pipelines-ui-trigger-saved-by': 'Runs for',
  'pipelines-ui-trigger-last': 'Last event',
  'pipelines-ui-trigger-never': 'none yet',
  'pipelines-ui-trigger-log': 'Deliveries',
  'pipelines-ui-trigger-log-of': 'Deliveries of the trigger',
  'pipelines-ui-trigger-log-none': 'No deliveries yet',
  'pipelines-ui-trigger-at': 'Time',
  'pipelines-ui-trigger-event': 'Event',
  'pipelines-ui-trigger-outcome': 'Result',
  'pipelines-ui-trigger-started': 'started #{number}',
  'pipelines-ui-trigger-skipped': 'skipped',
  'pipelines-ui-trigger-refused': 'refused',
  'pipelines-ui-trigger-duplicate': 'reported before',
  'pipelines-ui-trigger-delete-title': 'Delete this trigger?',
  'pipelines-ui-trigger-delete-hook': 'its webhook at the Git host',
  'pipelines-ui-trigger-delete-log': 'the record of its deliveries',
  'pipelines-ui-trigger-hook-stays':
    'The trigger is deleted, but its webhook could not be removed at the Git host. Remove it there.',
  'pipelines-ui-trigger-hook': 'Set up at the Git host…',
  'pipelines-ui-trigger-hook-title': 'Set up the webhook',
  'pipelines-ui-trigger-hook-about':
    'The platform creates the webhook at the Git host with the password of the pipeline’s repository. It must be a token that may administer the repository.',
  'pipelines-ui-trigger-hook-done': 'The webhook is set up',
  'pipelines-ui-trigger-hook-at': 'set up at {forge}',
  'pipelines-ui-trigger-forge': 'Git host',
  'pipelines-ui-trigger-secret': 'New secret',
  'pipelines-ui-trigger-secret-title': 'Webhook secret',
  'pipelines-ui-trigger-secret-text':
    'Enter it at the Git host as the webhook’s secret, and {url} as its address, or have the platform set the webhook up. In GitLab it can also be the signing token. It is not shown again.',
  'pipelines-ui-trigger-secret-ask':
    'The Git host’s webhook is refused until the new secret is entered there, or the webhook is set up again.',
}
