/** Changes of applied objects in the cluster by something other than the platform. */
export const en = {
  'drift-unsettled': 'The service is on its way to what was asked for. Wait until it is stable, and look then.',
  'drift-none': 'Nobody changed anything of {name} in the cluster any more',
  'drift-no-place':
    '{field} has no place in the document of a service, so that not all of it could be kept. Put it back, or have it changed in the cluster.',

  'drift-ui-badge': 'changed outside',
  'drift-ui-title': 'Changed outside',
  'drift-ui-memo':
    'Somebody changed this service in the cluster itself. Keep it, and it becomes the next revision; or put it back as it was applied.',
  'drift-ui-applied': 'Applied',
  'drift-ui-live': 'In the cluster',
  'drift-ui-by': 'Changed by',
  'drift-ui-gone': 'The object is gone',
  'drift-ui-nothing': 'not set',
  'drift-ui-no-place': 'cannot be kept',
  'drift-ui-keep': 'Keep',
  'drift-ui-keep-misfit': 'Some of it has no place in the document of a service. Put it back.',
  'drift-ui-keep-title': 'Keep what was changed in {name}?',
  'drift-ui-keep-text':
    'It becomes the next revision of the service. Pods are replaced where more than their number changed.',
  'drift-ui-put-back': 'Put back',
  'drift-ui-put-back-title': 'Put {name} back as it was applied?',
  'drift-ui-put-back-text':
    'What others changed in the cluster is lost. Pods are replaced where the change was one of pods.',
}
