/** What is new in a version. */
export const en = {
  'news-title': 'What is new in {version}',
} as const
