/** The audit log as a file. */
export const en = {
  'audit-result-1': 'Succeeded',
  'audit-result-0': 'Refused',
  'audit-csv-broken': 'The file is incomplete: reading the rest failed. Export it again.',
  'audit-csv-time': 'Time (UTC)',
  'audit-csv-user': 'User',
  'audit-csv-address': 'Address',
  'audit-csv-team': 'Team',
  'audit-csv-action': 'Action',
  'audit-csv-object': 'Object',
  'audit-csv-result': 'Result',
  'audit-csv-reason': 'Reason',
  'audit-csv-duration': 'Duration (ms)',
}
