export const en = {
  'time-invalid': 'This is not a point in time. Give milliseconds since 1970, or 0 for open',
  'time-range-invalid': 'The start lies after the end',
} as const
