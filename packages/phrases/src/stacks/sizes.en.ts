/** Requests and limits compared with measured usage. */
export const en = {
  'sizes-ui-title': 'Sizes that fit',
  'sizes-ui-memo':
    'What each instance used in the last {days} {days:day|days} is far from what it asks for. Requests follow what is usual, limits the most that was measured and half as much again. Short peaks between measurements do not show.',
  'sizes-ui-cpuRequest': 'CPU request',
  'sizes-ui-cpu': 'CPU limit',
  'sizes-ui-memoryRequest': 'Memory request',
  'sizes-ui-memory': 'Memory limit',
  'sizes-ui-open': 'Open an upgrade with these',
  'sizes-ui-filled': 'Requests and limits are filled in from what was used. Nothing is changed before you send it.',
}
