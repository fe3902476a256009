export const en = {
  'blobs-full':
    'The storage is full: nothing more can be written. Delete old builds and artifacts, or ask an administrator for more space.',
  'blobs-missing': 'This file is no longer there.',
  'blobs-unavailable':
    'The storage for logs and files cannot be used right now. Try again, or ask an administrator to look at it.',
} as const
