/** The cluster's answers to a change before it is sent. */
export const en = {
  'preview-no-namespace': 'The stack has no namespace on its cluster yet. Ask again when it runs.',
  'preview-ui-title': 'What the cluster says',
  'preview-ui-dialog': 'What the cluster says of {name}',
  'preview-ui-ask': 'Ask the cluster',
  'preview-ui-invalid': 'Fill in the form first',
  'preview-ui-asking': 'Asking the cluster…',
  'preview-ui-silent': 'The cluster did not say whether it takes this: {reason}',
  'preview-ui-refused': 'The cluster refuses {count} {count:object|objects}',
  'preview-ui-taken': 'The cluster accepts {count} {count:object|objects}',
  'preview-ui-create': 'new',
  'preview-ui-change': 'changed',
  'preview-ui-remove': 'removed',
  'preview-ui-none': 'unchanged',
}
